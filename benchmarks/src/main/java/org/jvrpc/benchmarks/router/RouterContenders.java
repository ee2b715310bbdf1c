package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Walls;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.jvrpc.JvrpcClient;
import org.jvrpc.benchmarks.limit.Copy;
import org.jvrpc.benchmarks.limit.Relay;
import org.jvrpc.runtime.IdleStrategy;

/** The contenders of {@code bench router}. */
public final class RouterContenders {

    /** Before the names of all. */
    public static final String PREFIX = "router-";
    /** Before the ways in which bare relays wait. */
    public static final String RELAY = PREFIX + "relay-";
    /** Calls by SPIN. */
    public static final String JVRPC = PREFIX + "jvrpc";
    /** Calls by the default strategy. */
    public static final String ADAPTIVE = PREFIX + "jvrpc-adaptive";
    /** The same over sockets alone. */
    public static final String SLOW = PREFIX + "jvrpc-slow";
    /** Calls over TCP. */
    public static final String TCP = PREFIX + "tcp";
    /** WRITEs of 1 MiB. */
    public static final String WRITE = PREFIX + "write";
    /** Copies of as much. */
    public static final String COPY = PREFIX + "copy";
    /** A tenant with a rate of bytes. */
    public static final String RATE_BYTES = PREFIX + "rate-bytes";
    /** A tenant with a rate of WQEs. */
    public static final String RATE_WQES = PREFIX + "rate-wqes";
    /** Equal tenants. */
    public static final String FAIR = PREFIX + "fair";
    /** A tenant that calls seldom. */
    public static final String VICTIM = PREFIX + "victim";
    /** One beside it, with long WRITEs. */
    public static final String FLOOD_BYTES = PREFIX + "flood-bytes";
    /** One beside it, with short WRITEs. */
    public static final String FLOOD_WQES = PREFIX + "flood-wqes";
    /** Before how many are attached. */
    public static final String CROWD = PREFIX + "crowd-";
    /** Calls between two hosts. */
    public static final String HOSTS = PREFIX + "hosts";
    /** The same, encrypted. */
    public static final String HOSTS_SEALED = HOSTS + "-sealed";
    /** WRITEs of 1 MiB between two hosts. */
    public static final String HOSTS_WRITE = HOSTS + "-write";
    /** The same, encrypted. */
    public static final String HOSTS_WRITE_SEALED = HOSTS_WRITE + "-sealed";

    /** The rate of {@link #RATE_BYTES}. */
    public static final long BYTES_A_SECOND = 100_000_000;
    /** The rate of {@link #RATE_WQES}. */
    public static final long WQES_A_SECOND = 50_000;
    /** Bytes of a long WRITE. */
    public static final int FLOW_BYTES = 16 << 10;
    /** How many share. */
    public static final int FAIR_TENANTS = 8;
    /** How many call of a crowd. */
    public static final int BUSY = 10;
    /** How many a crowd has. */
    public static final int CROWDED = 1000;

    /** The tenant that is called. */
    public static final Tenant SERVER = new Tenant("server", "10.77.0.1", Walls.SERVER,
            "\"connections\": 4096, \"bytes\": 1073741824");
    /** The tenant that calls. */
    public static final Tenant CLIENT = new Tenant("client", "10.77.0.2", Walls.CLIENT, "");
    private static final Tenant FLOODER = new Tenant("flooder", "10.77.0.3", Walls.CLIENT, "");
    private static final String SLOW_PATH = "&path=slow";
    private static final int SHORT_BYTES = 8;
    private static final int DEEP = 64;
    private static final int DEEPER = 2048;
    private static final int CHAIN = 64;

    private RouterContenders() {
    }

    /** Returns them all. */
    public static List<Contender> all() {
        return List.of(relay("spin", Relay.Waiting.SPIN), relay("yield", Relay.Waiting.YIELD),
                relay("spin-yield", Relay.Waiting.SPIN_YIELD),
                relay("park", Relay.Waiting.PARK), calls(JVRPC, IdleStrategy.SPIN, ""), calls(ADAPTIVE, null, ""),
                calls(SLOW, null, SLOW_PATH),
                new Contender(TCP, TcpServer::new, () -> new JvrpcClient(null, false)).withWalls(new NetworkWalls()),
                new Contender(COPY, () -> new Copy.Server(false), RouterContenders::copy),
                tenants(WRITE, WriteClient::new, List.of(SERVER, CLIENT)),
                limited(RATE_BYTES, "\"bytesPerSecond\": " + BYTES_A_SECOND, FLOW_BYTES, DEEP, 1),
                limited(RATE_WQES, "\"wqesPerSecond\": " + WQES_A_SECOND, SHORT_BYTES, DEEPER, CHAIN),
                tenants(FAIR, () -> new FlowClient(names("fair", FAIR_TENANTS), FLOW_BYTES, DEEP, 1),
                        with("fair", FAIR_TENANTS)),
                tenants(VICTIM, VictimClient::new, List.of(SERVER, CLIENT, FLOODER)),
                flooder(FLOOD_BYTES, FLOW_BYTES, 2 * DEEP, 1), flooder(FLOOD_WQES, SHORT_BYTES, DEEPER, CHAIN),
                crowd(BUSY), crowd(CROWDED),
                hosts(HOSTS, () -> new JvrpcClient(null, false), false, true),
                hosts(HOSTS_SEALED, () -> new JvrpcClient(null, false), true, true),
                hosts(HOSTS_WRITE, WriteClient::new, false, false),
                hosts(HOSTS_WRITE_SEALED, WriteClient::new, true, false));
    }

    /**
     * Tenants of two hosts, whose routers are in one process.
     *
     * @param sealed what they send is encrypted
     * @param placed each is kept on the processor of its host
     */
    private static Contender hosts(String name, Supplier<ClientEnd> client, boolean sealed, boolean placed) {
        Tenant there = SERVER.at(HostsEnd.EAST);
        Tenant here = CLIENT.at(HostsEnd.WEST);
        return new Contender(name, () -> new TenantServer(null, there, here, ""),
                () -> new PatientClient(client))
                .withThird(() -> new HostsEnd(sealed, placed)).withWalls(new RouterWalls(List.of(there, here)));
    }

    private static Contender relay(String name, Relay.Waiting waiting) {
        return new Contender(RELAY + name, () -> new Relay.Server(waiting), () -> new Relay.Client(waiting))
                .withThird(() -> new Relay.Middle(waiting));
    }

    private static Contender calls(String name, IdleStrategy idle, String options) {
        return new Contender(name, () -> new TenantServer(idle, SERVER, CLIENT, options),
                () -> new JvrpcClient(idle, false))
                .withThird(RouterEnd::new).withWalls(new RouterWalls(List.of(SERVER, CLIENT)));
    }

    private static Contender tenants(String name, Supplier<ClientEnd> client, List<Tenant> tenants) {
        return new Contender(name, () -> new TenantServer(null, SERVER, CLIENT, ""), client).withThird(RouterEnd::new)
                .withWalls(new RouterWalls(tenants));
    }

    private static Contender limited(String name, String quota, int bytes, int depth, int length) {
        Tenant client = new Tenant(CLIENT.name(), CLIENT.address(), CLIENT.end(), quota);
        return tenants(name, () -> new FlowClient(List.of(client.name()), bytes, depth, length),
                List.of(SERVER, client));
    }

    /** A client of the victim's router: a server of its own is never started. */
    private static Contender flooder(String name, int bytes, int depth, int length) {
        return tenants(name, () -> new FlowClient(List.of(FLOODER.name()), bytes, depth, length), List.of());
    }

    private static Contender crowd(int count) {
        List<String> names = names("t", count);
        return tenants(CROWD + count, () -> new CrowdClient(names.subList(0, BUSY), names.subList(BUSY, count)),
                with("t", count)).withFlags("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");
    }

    private static List<String> names(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toList();
    }

    /** Returns the server's tenant and so many others. */
    private static List<Tenant> with(String name, int count) {
        List<Tenant> tenants = new ArrayList<>(List.of(SERVER));
        for (int i = 0; i < count; i++) {
            tenants.add(new Tenant(name + i, "10.77." + (1 + i / 250) + "." + (1 + i % 250), Walls.CLIENT, ""));
        }
        return tenants;
    }

    /** Copies as much as a {@link WriteClient} moves, whatever the workload. */
    private static ClientEnd copy() {
        Copy.Client client = new Copy.Client(false);
        return new ClientEnd() {
            @Override
            public void connect(String address, int index) throws IOException {
                client.connect(address, index);
            }

            @Override
            public Operation operation(Workload workload) {
                return client.operation(Workload.echo(WriteClient.BYTES));
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
