package org.jvrpc.runtime;

/** A long request on its way in. Poller thread. */
final class Fetch {

    final ServerSlot slot;
    final Body body;
    final long first;
    final long second;
    final long address;
    final int rkey;
    final int length;
    int done;

    Fetch(ServerSlot slot, Body body, long first, long second, long address, int rkey, int length) {
        this.slot = slot;
        this.body = body;
        this.first = first;
        this.second = second;
        this.address = address;
        this.rkey = rkey;
        this.length = length;
    }
}
