package org.jvrpc.samples.kv.rpc;

import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** A store that is served in this process. */
final class KvFixture implements AutoCloseable {

    /** At which it listens again once it has stopped. */
    String address;
    final Device device;
    final Store store;
    private final MemoryRegion region;
    private final long programNs;
    private KvHost host;

    KvFixture(StoreSettings settings) {
        this(SharedMemoryFolder.freshAddress(), settings, 0);
    }

    /** @param programNs how long clients wait for programs; 0 for the usual */
    KvFixture(String address, StoreSettings settings, long programNs) {
        this.programNs = programNs;
        this.address = address;
        device = Devices.open(address);
        region = device.allocatePd().allocate(settings.regionBytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        store = Store.create(region, settings, Clock.system());
        start();
    }

    KvFixture() {
        this(StoreSettings.ofMemory(16 << 20));
    }

    void start() {
        host = KvHost.start(store, device, region, address, IdleStrategy.ADAPTIVE);
        address = host.address();
    }

    void stop() {
        host.close();
    }

    KvClient client(KvWay way) {
        return KvClient.connect(address, KvClient.Settings.of(way).withProgramNs(programNs));
    }

    @Override
    public void close() {
        host.close();
        device.close();
    }
}
