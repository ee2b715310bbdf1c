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
        Store kept = hull != null && hull.isFormatted() ? takeUp(region) : null;
        this.survived = kept != null;
        if (hull != null && !survived) {
            hull.formatted(false); // whoever comes next must not take up one that is half made
        }
        this.store = survived ? kept : Store.create(region, settings, Clock.system());
        if (hull != null && !survived) {
            hull.formatted(true);
        }
    }

    /**
     * Takes up the store that an application before this one left; null when it has another layout, as that of another
     * version of this program has. Then the next best thing to do for a cache is to begin with an empty one: to refuse
     * would have the hull start this program again and again, and end, and lose the store all the same.
     */
    static Store takeUp(MemoryRegion region) {
        try {
            return Store.attach(region, Clock.system());
        } catch (IllegalStateException e) {
            System.err.println("kv: the hull kept a store that this program cannot take up, so that all items are"
                    + " lost: " + e.getMessage());
            return null;
        }
    }

    /**
     * Makes a store, or takes up the one that the hull kept, unless it has another layout.
     *
     * @param address of the device whose memory it is in
     * @throws org.jvrpc.verbs.VerbsException when there is no memory, or no hull any more
     */
    static StoreHome open(String address, StoreSettings settings) {
        Device device = Devices.open(address);
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

    /**
     * Serves calls, and has lookups served by the hull where there is one.
     *
     * @param lookups where they are, unless there is a hull; empty where the address has none
     */
    KvHost serve(String address, String lookups, IdleStrategy idle) {
        if (lookups.isEmpty()) {
            return KvHost.start(store, "", address, idle);
        }
        if (hull == null) {
            return KvHost.start(store, device, region, address, lookups, idle);
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
