/**
 * A cache of keys and values that lies as a whole in one registered memory region. It owns the layout of that region:
 * superblock, size classes, pages of items, the main index and the offload index. It must never know who asks: no
 * protocol, socket, thread or clock of its own is in here; {@link org.jvrpc.samples.kv.store.Clock} is passed in.
 *
 * <p>The region is the truth. No Java object holds state that the region lacks, so that the process may die at any
 * instruction and another one takes the region up where it was left: {@link org.jvrpc.samples.kv.store.Store#attach}.
 * Peers read items by RDMA READ or by programs of the NIC while the store changes them: an item that was published is
 * never changed, it is replaced by another one, and {@link org.jvrpc.samples.kv.store.ItemReader} tells a whole item
 * from one that was freed meanwhile.
 *
 * <p>Threads: {@link org.jvrpc.samples.kv.store.Store} has one lock; everything package-private is called under it.
 * Units: offsets and lengths in bytes, offsets from the region's begin; expiry in seconds of Unix time; grace in
 * nanoseconds.
 */
package org.jvrpc.samples.kv.store;
