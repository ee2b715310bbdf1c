package org.jvrpc.samples.kv.memcache;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.samples.kv.store.TestRegion;

/** A server of a store of its own. */
final class TestServer implements AutoCloseable {

    final Store store;
    final MemcacheServer server;
    private final TestRegion region;

    TestServer(long memory, ServerSettings settings, Clock clock) throws IOException {
        StoreSettings storeSettings = StoreSettings.ofMemory(memory);
        region = new TestRegion(storeSettings.regionBytes());
        store = Store.create(region.region(), storeSettings, clock);
        server = MemcacheServer.start(store, settings);
    }

    static TestServer start() throws IOException {
        return new TestServer(32L << 20, ServerSettings.ofPort(0), Clock.system());
    }

    static TestServer start(Path unixSocket, int maxConnections, long bufferBytes) throws IOException {
        return new TestServer(32L << 20,
                new ServerSettings("127.0.0.1", 0, unixSocket, 2, maxConnections, bufferBytes), Clock.system());
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        region.close();
    }
}
