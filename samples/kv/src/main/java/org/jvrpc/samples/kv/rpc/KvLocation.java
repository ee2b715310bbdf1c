package org.jvrpc.samples.kv.rpc;

/**
 * Where an item lies. It is there until it is replaced, deleted or evicted, after which its state says so.
 *
 * @param address in the address space of the store's device
 * @param length the bytes from there to the value's end
 * @param version the item's
 */
public record KvLocation(long address, int length, long version) {
}
