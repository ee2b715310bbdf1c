/**
 * Compression of a stream: what an address says of it, and a {@link org.jvrpc.tcp.link.Wire} around another one that
 * packs what shrinks. Knows nothing of sessions and frames. Of a wire one thread at a time, of what is lent any.
 */
package org.jvrpc.tcp.gzip;
