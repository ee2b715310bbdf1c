package org.jvrpc.benchmarks.router;

import java.nio.file.Path;
import java.util.List;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Walls;
import org.jvrpc.benchmarks.jvrpc.JvrpcClient;
import org.jvrpc.benchmarks.jvrpc.JvrpcServer;
import org.jvrpc.benchmarks.limit.Relay;
import org.jvrpc.runtime.IdleStrategy;

/** The contenders of {@code bench router}. */
public final class RouterContenders {

    /** Before the names of all. */
    public static final String PREFIX = "router-";
    static final String RELAY = PREFIX + "relay-";
    static final String JVRPC = PREFIX + "jvrpc";
    static final String ADAPTIVE = PREFIX + "jvrpc-adaptive";
    static final String SLOW = PREFIX + "jvrpc-slow";

    static final Tenant SERVER = new Tenant("server", "10.77.0.1", Walls.SERVER, "");
    static final Tenant CLIENT = new Tenant("client", "10.77.0.2", Walls.CLIENT, "");
    private static final int PORT = 7000;
    private static final String SLOW_PATH = "&path=slow";

    private RouterContenders() {
    }

    /** Returns them all. */
    public static List<Contender> all() {
        return List.of(relay("spin", Relay.Waiting.SPIN), relay("yield", Relay.Waiting.YIELD),
                relay("park", Relay.Waiting.PARK), calls(JVRPC, IdleStrategy.SPIN, ""), calls(ADAPTIVE, null, ""),
                calls(SLOW, null, SLOW_PATH));
    }

    private static Contender relay(String name, Relay.Waiting waiting) {
        return new Contender(RELAY + name, () -> new Relay.Server(waiting), () -> new Relay.Client(waiting))
                .withThird(() -> new Relay.Middle(waiting));
    }

    private static Contender calls(String name, IdleStrategy idle, String options) {
        return new Contender(name, () -> server(idle, options), () -> new JvrpcClient(idle, false))
                .withThird(RouterEnd::new).withWalls(new RouterWalls(List.of(SERVER, CLIENT)));
    }

    private static ServerEnd server(IdleStrategy idle, String options) {
        return new ServerEnd() {
            private JvrpcServer server;

            @Override
            public String start(Path directory, int clients) {
                server = new JvrpcServer(idle, RouterPlace.address(directory, SERVER, PORT, SERVER, options),
                        RouterPlace.address(directory, SERVER, PORT, CLIENT, options));
                return server.start(directory, clients);
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
