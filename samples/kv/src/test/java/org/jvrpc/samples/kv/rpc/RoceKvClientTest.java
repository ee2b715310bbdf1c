package org.jvrpc.samples.kv.rpc;

import org.jvrpc.samples.kv.store.StoreSettings;

/** All ways of getting, by packets. */
class RoceKvClientTest extends KvClientTest {

    /** On a busy machine a program takes longer than a call, which is what the usual wait is for. */
    private static final long LONG_NS = 10_000_000_000L;

    @Override
    KvFixture fixture(StoreSettings settings) {
        return new KvFixture("roce://127.0.0.1:0", settings, LONG_NS);
    }
}
