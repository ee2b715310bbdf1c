package org.jvrpc.samples.kv.rpc;

import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.Superblock;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;

/** The server's side: a store by calls, and the host of its lookups unless another process is that. Any thread. */
public final class KvHost implements AutoCloseable {

    /** The store's name at a host of lookups. */
    public static final String LOOKUP = "kv/get";
    /** Where in the region the index's place is told, as {@link org.jvrpc.offload.table.IndexHeader} has it. */
    public static final int HEADER = Superblock.OFFLOAD_GENERATION;

    private final RpcServer server;
    private final OffloadHost lookups;

    private KvHost(RpcServer server, OffloadHost lookups) {
        this.server = server;
        this.lookups = lookups;
    }

    /** Serves calls at an address, and lookups beside it, as {@link OffloadHost#beside} says. */
    public static KvHost start(Store store, Device device, MemoryRegion region, String address, IdleStrategy idle) {
        return start(store, device, region, address, OffloadHost.beside(address), idle);
    }

    /**
     * Serves calls at an address, and lookups at another one.
     *
     * @param device of the addresses' kind, that made the region; it is to outlive the host
     * @param at where lookups are
     * @param idle how the thread that answers calls waits
     * @throws org.jvrpc.verbs.VerbsException when an address is taken
     */
    public static KvHost start(Store store, Device device, MemoryRegion region, String address, String at,
            IdleStrategy idle) {
        OffloadHost lookups = new OffloadHost(device, at);
        try {
            lookups.offer(new Offer(LOOKUP, LookupKind.HASH_GET, region, HEADER));
            return new KvHost(serve(store, address, lookups.address(), idle), lookups);
        } catch (RuntimeException e) {
            lookups.close();
            throw e;
        }
    }

    /**
     * Serves calls at an address; another process hosts the lookups.
     *
     * @param lookups address of their host; empty when there is none
     */
    public static KvHost start(Store store, String lookups, String address, IdleStrategy idle) {
        return new KvHost(serve(store, address, lookups, idle), null);
    }

    private static RpcServer serve(Store store, String address, String lookups, IdleStrategy idle) {
        KvInfo info = new KvInfo(lookups, LOOKUP, store.offloadLimit(), store.keys().first(),
                store.keys().second());
        return RpcServer.builder().bind(address).idle(idle).service(KvService.class, new KvHandler(store, info))
                .start();
    }

    /** Returns where clients connect. */
    public String address() {
        return server.address();
    }

    /** Stops serving. Idempotent. */
    @Override
    public void close() {
        server.close();
        if (lookups != null) {
            lookups.close();
        }
    }
}
