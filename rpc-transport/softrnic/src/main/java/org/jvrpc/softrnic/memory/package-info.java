/**
 * A device's memory: slabs and the arena that they make, addresses, the table of memory regions and its keys, who holds
 * a claim in shared memory, and the quarantine of what was given back while a peer may still write to it. Must never
 * know queues, messages, or by which way a peer came to the memory: those who map a peer's slabs are behind
 * {@link org.jvrpc.softrnic.memory.AddressSpace}.
 *
 * <p>Layouts are little-endian; addresses, offsets and lengths are bytes. Any thread, where a type says nothing else.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.memory;
