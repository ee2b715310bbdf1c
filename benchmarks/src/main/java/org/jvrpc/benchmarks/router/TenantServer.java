package org.jvrpc.benchmarks.router;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.jvrpc.JvrpcServer;
import org.jvrpc.runtime.IdleStrategy;

/** The tenant that others call, and whose memory they WRITE to. */
final class TenantServer implements ServerEnd {

    static final int CALLS = 7000;
    static final int WRITES = 7001;

    private final IdleStrategy idle;
    private final Tenant tenant;
    private final Tenant client;
    private final String options;
    private JvrpcServer calls;
    private Sink sink;

    /**
     * Prepares.
     *
     * @param idle null for the default
     * @param client who it tells its address to
     * @param options of all addresses, with their ampersands
     */
    TenantServer(IdleStrategy idle, Tenant tenant, Tenant client, String options) {
        this.idle = idle;
        this.tenant = tenant;
        this.client = client;
        this.options = options;
    }

    @Override
    public String start(Path directory, int clients) {
        sink = new Sink(RouterPlace.address(directory, tenant, WRITES, tenant, options));
        calls = new JvrpcServer(idle, RouterPlace.address(directory, tenant, CALLS, tenant, options),
                RouterPlace.address(directory, tenant, CALLS, client, options));
        return calls.start(directory, clients);
    }

    /** Returns the address of a client's for WRITEs. @param address what it was told; @param tenant who it is */
    static String writes(String address, String tenant) {
        return as(address, tenant).replace(":" + CALLS + "?", ":" + WRITES + "?");
    }

    /** Returns an address as another tenant says it. */
    static String as(String address, String tenant) {
        return address.replace("/tenants/" + RouterContenders.CLIENT.name(), "/tenants/" + tenant);
    }

    @Override
    public void close() {
        calls.close();
        sink.close();
    }
}
