package org.jvrpc.samples.kv;

import org.jvrpc.offload.hull.HullClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.rpc.KvHost;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Where the store lies: in memory of this process, or in that of the hull which started it. There it outlives this
 * process, and the next one takes it up.
 */
final class StoreHome implements AutoCloseable {

    private final Device device;
    private final HullClient hull;
    private final MemoryRegion region;
    private final Store store;
    private final boolean survived;

    private StoreHome(Device device, HullClient hull, StoreSettings settings) {
        this.device = device;
        this.hull = hull;
        this.region = hull != null ? hull.region() : device.allocatePd()
                .allocate(settings.regionBytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        this.survived = hull != null && hull.isFormatted();
        this.store = survived ? Store.attach(region, Clock.system())
                : Store.create(region, settings, Clock.system());
        if (hull != null && !survived) {
            hull.formatted(true);
        }
    }

    /**
     * Makes a store, or takes up the one that the hull kept.
     *
     * @throws org.jvrpc.verbs.VerbsException when there is no memory, or no hull any more
     * @throws IllegalStateException when the hull kept a store of another layout
     */
    static StoreHome open(StoreSettings settings) {
        Device device = Devices.open("shm://kv");
        try {
            return new StoreHome(device, HullClient.isInHull() ? HullClient.attach(device) : null, settings);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    Store store() {
        return store;
    }

    /** Returns what there is to say about the memory. */
    String describe() {
        return hull == null ? "" : ", application " + hull.generation() + " of a hull, "
                + (survived ? store.statistics().items() + " items survived" : "store is new");
    }

    /** Serves calls, and has lookups served by the hull where there is one. */
    KvHost serve(String address, IdleStrategy idle) {
        if (hull == null) {
            return KvHost.start(store, device, region, address, idle);
        }
        hull.offer(KvHost.LOOKUP, LookupKind.HASH_GET, KvHost.HEADER);
        return KvHost.start(store, hull.address(), address, idle);
    }

    @Override
    public void close() {
        if (hull != null) {
            hull.close();
        }
        device.close();
    }
}
