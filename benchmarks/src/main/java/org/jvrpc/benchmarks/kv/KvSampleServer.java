package org.jvrpc.benchmarks.kv;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.rpc.KvHost;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** The store of the samples by jvRPC. */
public final class KvSampleServer implements ServerEnd {

    private static final long MEMORY = 64L << 20;

    private final IdleStrategy idle;
    private Device device;
    private KvHost host;

    /** A server. @param idle how it waits for calls */
    public KvSampleServer(IdleStrategy idle) {
        this.idle = idle;
    }

    @Override
    public String start(Path directory, int clients) {
        device = Devices.open("shm://kv");
        StoreSettings settings = StoreSettings.ofMemory(MEMORY);
        MemoryRegion region = device.allocatePd().allocate(
                settings.regionBytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        Store store = Store.create(region, settings, Clock.system());
        host = KvHost.start(store, device, region, "shm://kv-bench-" + ProcessHandle.current().pid(), idle);
        return host.address();
    }

    @Override
    public void close() {
        host.close();
        device.close();
    }
}
