/**
 * The layout of arguments and results: {@link org.jvrpc.api.wire.WireWriter} and {@link org.jvrpc.api.wire.WireReader}
 * over off-heap memory. Owns the encoding of every basic type, and must never know calls, sessions or transports.
 *
 * <p>All numbers are little-endian and packed without padding. Positions and lengths are in bytes, counts in elements.
 * One thread at a time. Nothing here allocates but what a decoded object needs.
 *
 * <pre>
 * boolean            1 byte, 0 or 1
 * byte … double      1 to 8 bytes
 * enum               2 bytes, the ordinal
 * String             4 bytes, (chars &lt;&lt; 1) | wide, then the chars: 1 byte each (Latin-1), or 2 bytes when wide
 * T[] of primitives  4 bytes, the count, then the elements
 * ByteBuffer         4 bytes, the length, then the remaining bytes
 * List, Set, Map     4 bytes, the count, then the elements (key, value, key, value … of a map)
 * Optional, nullable 1 byte, present, then the value when it is 1
 * record             its components in order; one byte 0 when it has none
 * Duration, Instant  8 bytes of seconds, 4 bytes of nanoseconds in 0 … 999,999,999
 * UUID               8 bytes, the most significant bits, then 8, the least
 * BigInteger         the bytes of its shortest two's complement, big-endian, as a byte[]
 * BigDecimal         4 bytes, the scale, then the unscaled BigInteger
 * object graph       what {@link org.jvrpc.api.wire.ObjectCodec} writes
 * </pre>
 */
@NullMarked
package org.jvrpc.api.wire;

import org.jspecify.annotations.NullMarked;
