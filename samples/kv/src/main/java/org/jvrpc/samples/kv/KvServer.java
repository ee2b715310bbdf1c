package org.jvrpc.samples.kv;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.offload.hull.Hull;
import org.jvrpc.offload.hull.HullClient;
import org.jvrpc.offload.hull.JavaCommand;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.memcache.MemcacheServer;
import org.jvrpc.samples.kv.memcache.ServerSettings;
import org.jvrpc.samples.kv.rpc.KvHost;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.verbs.VerbsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command: a store in shared memory, served by memcached's protocols and by jvRPC until it is stopped. */
@Command(name = "server", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Serves a key-value store by memcached's text, meta and binary protocols, and by jvRPC.")
public final class KvServer implements Callable<Integer> {

    private static final String NONE = "none";
    private static final String SHM = "shm://";
    private static final List<String> FOR_CALLS_ALONE = List.of("tcp://", "unix://");
    private static final long CLOSE_SECONDS = 4;

    private final CountDownLatch closed = new CountDownLatch(1);

    @Option(names = {"-p", "--port"}, defaultValue = "11211", paramLabel = "PORT",
            description = "TCP port; 0 takes a free one, -1 none (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(names = {"-l", "--host"}, defaultValue = "127.0.0.1", paramLabel = "ADDRESS",
            description = "address to listen at (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(names = {"-m", "--memory"}, defaultValue = "64m", converter = MemorySize.class, paramLabel = "BYTES",
            description = "memory for items, such as 64m or 2g (default: ${DEFAULT-VALUE})")
    private long memory;

    @Option(names = {"-t", "--threads"}, paramLabel = "N", description = "event loops (default: one a core, up to 4)")
    private int threads = ServerSettings.defaultThreads();

    @Option(names = {"-c", "--max-connections"}, defaultValue = "1024", paramLabel = "N",
            description = "connections at a time (default: ${DEFAULT-VALUE})")
    private int maxConnections;

    @Option(names = {"-s", "--unix-socket"}, paramLabel = "PATH",
            description = "listen at a Unix-domain socket too")
    private Path unixSocket;

    @Option(names = {"-M", "--no-evict"}, description = "refuse to store when memory is full, instead of evicting")
    private boolean noEvict;

    @Option(names = {"-a", "--address"}, defaultValue = "shm://kv", paramLabel = "ADDRESS",
            description = "where jvRPC clients connect: shm://NAME, roce://HOST:PORT, rdma://HOST:PORT or "
                    + "router://ADDRESS:PORT, which tells them of lookups; tcp://HOST:PORT or unix:///PATH, for calls "
                    + "alone; none: nowhere (default: ${DEFAULT-VALUE})")
    private String address;

    @Option(names = "--lookups", paramLabel = "ADDRESS",
            description = "where clients' lookups connect, of the same kind: a port that rules of a router or of a "
                    + "firewall know (default: NAME.offload, or a free port)")
    private String lookups;

    @Option(names = {"-i", "--idle"}, defaultValue = "ADAPTIVE", paramLabel = "STRATEGY",
            description = "how the thread that answers calls waits: ${COMPLETION-CANDIDATES} "
                    + "(default: ${DEFAULT-VALUE})")
    private IdleStrategy idle;

    @Option(names = "--hull",
            description = "keep memory and lookups in a parent process: lookups go on while the server is dead, "
                    + "and its next life takes the store up")
    private boolean inHull;

    @Spec
    private CommandSpec command;

    private KvServer() {
    }

    /** Runs. */
    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new KvServer());
        commandLine.setExecutionExceptionHandler(KvServer::failed);
        System.exit(commandLine.execute(args));
    }

    private static int failed(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) throws Exception {
        if (e instanceof IllegalArgumentException || e instanceof IOException || e instanceof VerbsException) {
            commandLine.getErr().println("kv: " + e.getMessage());
            return e instanceof IllegalArgumentException ? 2 : 1;
        }
        throw e;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        StoreSettings settings = StoreSettings.ofMemory(memory).withEvict(!noEvict);
        ServerSettings listening =
                new ServerSettings(host, port, unixSocket, threads, maxConnections, 128L << 20);
        if (inHull && !HullClient.isInHull()) {
            Hull.main(hullArguments(settings));
        }
        try (StoreHome home = StoreHome.open(isOfDevice() ? address : SHM + "kv", settings);
             KvHost kvHost = NONE.equals(address) ? null : home.serve(address, lookups(), idle);
             MemcacheServer server = MemcacheServer.start(home.store(), listening)) {
            System.out.println("kv: " + describe(server, kvHost) + ", memory=" + memory + " threads=" + threads
                    + ", process " + ProcessHandle.current().pid() + home.describe());
            awaitEnd();
        } finally {
            closed.countDown();
        }
        return 0;
    }

    /** Streams have no device that lookups go by: the store lies in memory of this host. */
    private boolean isOfDevice() {
        return !NONE.equals(address) && FOR_CALLS_ALONE.stream().noneMatch(address::startsWith);
    }

    /** Returns where lookups are; empty: there are none. */
    private String lookups() {
        if (lookups == null) {
            return isOfDevice() ? OffloadHost.beside(address) : "";
        }
        if (inHull || !isOfDevice() || !kind(lookups).equals(kind(address))) {
            throw new IllegalArgumentException("--lookups " + lookups + " with --address " + address
                    + (inHull ? " --hull" : "") + ": both of one kind, of shm, roce, rdma or router, and no hull");
        }
        return lookups;
    }

    private static String kind(String of) {
        return of.substring(0, Math.max(0, of.indexOf("://")));
    }

    /** The hull's command line: its child is this program with the same arguments, in a JVM with the same options. */
    private String[] hullArguments(StoreSettings settings) {
        if (NONE.equals(address)) {
            throw new IllegalArgumentException("--address none: a hull serves lookups at an address");
        }
        if (!address.startsWith(SHM)) {
            throw new IllegalArgumentException("--address " + address
                    + ": a hull's memory is shared on this host, by shm://NAME");
        }
        List<String> line = new ArrayList<>(List.of("--address", address + ".offload", "--bytes",
                Long.toString(settings.regionBytes()), "--"));
        line.addAll(JavaCommand.of(KvServer.class, command.commandLine().getParseResult().originalArgs()));
        return line.toArray(String[]::new);
    }

    private String describe(MemcacheServer server, KvHost kvHost) {
        StringJoiner places = new StringJoiner(" and ", "serving at ", "");
        if (port >= 0) {
            places.add(host + ":" + server.port());
        }
        if (unixSocket != null) {
            places.add(unixSocket.toString());
        }
        if (kvHost != null) {
            places.add(kvHost.address());
        }
        return places.toString();
    }

    /**
     * Waits until the process is asked to end. The hook holds that up until all is closed; not until this thread has
     * ended, which waits for the hook itself when it exits.
     */
    private void awaitEnd() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            asked.countDown();
            try {
                closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        asked.await();
    }
}
