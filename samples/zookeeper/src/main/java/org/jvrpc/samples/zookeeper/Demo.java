package org.jvrpc.samples.zookeeper;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.JvrpcServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A ZooKeeper server with the plugin in a process of its own, and ZooKeeper's client against it: by TCP, as ever, and
 * by jvRPC, in turns. Prints what calls take.
 */
public final class Demo {

    private static final String JVRPC = "org.apache.zookeeper.ClientCnxnSocketJvrpc";
    private static final String NIO = "org.apache.zookeeper.ClientCnxnSocketNIO";
    private static final String READY = "serving at ";
    private static final int ROUNDS = 5;
    private static final long WARM_UP_NS = 1_500_000_000L;
    private static final long TURN_NS = 200_000_000L;
    private static final int MOST_CALLS = 100_000;
    private static final int SESSION_MS = 30_000;
    private static final byte[] DATA = new byte[100];

    private final ZooKeeper client;
    private final String root;
    private int made;

    private Demo(ZooKeeper client, String root) {
        this.client = client;
        this.root = root;
    }

    /** A call that is timed. */
    @FunctionalInterface
    private interface Call {
        void run(Demo side) throws Exception;
    }

    /** @param args nothing; {@code server} and a folder in the process of the server */
    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("server")) {
            serve(new File(args[1]));
            return;
        }
        Path shm = Path.of("/dev/shm");
        Path folder = Files.createTempDirectory(
                Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir")), "zookeeper-demo");
        Process server = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Down.log=" + folder.resolve("server.log"),
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""),
                "-Dzookeeper.serverCnxnFactory=" + JvrpcServerCnxnFactory.class.getName(),
                "-cp", System.getProperty("java.class.path"), Demo.class.getName(), "server", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            run(address(server));
        } finally {
            server.destroyForcibly().waitFor();
            delete(folder);
        }
    }

    private static void serve(File folder) throws Exception {
        ServerCnxnFactory factory = ServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", 0), 60);
        factory.startup(new ZooKeeperServer(folder, folder, 2000));
        System.out.println(READY + "127.0.0.1:" + factory.getLocalPort());
        System.in.read(); // until the demo ends
        System.exit(0);
    }

    private static String address(Process server) throws IOException {
        BufferedReader reader = server.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith(READY)) {
                System.out.println("A ZooKeeper server with the plugin in process " + server.pid() + ", " + line);
                return line.substring(READY.length());
            }
        }
        throw new IOException("the server did not start");
    }

    private static void run(String address) throws Exception {
        Demo stock = connect(address, NIO, "/stock");
        Demo ours = connect(address, JVRPC, "/jvrpc");
        System.out.printf("%n%-28s %12s %12s %12s %12s %9s%n", "microseconds a call", "stock p50", "jvRPC p50",
                "stock p99", "jvRPC p99", "times");
        measure("exists", stock, ours, side -> side.client.exists(side.root, false));
        measure("getData, 100 bytes", stock, ours, side -> side.client.getData(side.root, false, null));
        measure("setData, 100 bytes", stock, ours, side -> side.client.setData(side.root, DATA, -1));
        measure("create, 100 bytes", stock, ours, side -> side.client.create(
                side.root + "/" + side.made++, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        System.out.println("\nstock: TCP, ClientCnxnSocketNIO; both against the same server, its log in memory;"
                + " medians of " + ROUNDS + " turns");
        stock.client.close();
        ours.client.close();
    }

    private static Demo connect(String address, String transport, String root) throws Exception {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, transport);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(address, SESSION_MS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        }, false, config);
        if (!connected.await(20, TimeUnit.SECONDS)) {
            throw new IOException("no connection to " + address + " by " + transport);
        }
        client.create(root, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        return new Demo(client, root);
    }

    private static void measure(String what, Demo stock, Demo ours, Call call) throws Exception {
        time(stock, call, WARM_UP_NS);
        time(ours, call, WARM_UP_NS);
        double[][] figures = new double[4][ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            double[] theirs = time(stock, call, TURN_NS);
            double[] own = time(ours, call, TURN_NS);
            figures[0][i] = theirs[0];
            figures[1][i] = own[0];
            figures[2][i] = theirs[1];
            figures[3][i] = own[1];
        }
        System.out.printf("%-28s %12.1f %12.1f %12.1f %12.1f %9.2f%n", what, median(figures[0]), median(figures[1]),
                median(figures[2]), median(figures[3]), median(figures[0]) / median(figures[1]));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Returns the p50 and the p99 of calls in microseconds. */
    private static double[] time(Demo side, Call call, long forNs) throws Exception {
        long[] took = new long[MOST_CALLS];
        int count = 0;
        long endNs = System.nanoTime() + forNs;
        for (long beforeNs = System.nanoTime(); beforeNs < endNs && count < MOST_CALLS; count++) {
            call.run(side);
            long afterNs = System.nanoTime();
            took[count] = afterNs - beforeNs;
            beforeNs = afterNs;
        }
        Arrays.sort(took, 0, count);
        return new double[] {took[count / 2] / 1e3, took[(int) (count * 0.99)] / 1e3};
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
