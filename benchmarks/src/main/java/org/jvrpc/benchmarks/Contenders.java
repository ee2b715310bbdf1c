package org.jvrpc.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.hdfs.HdfsClientEnd;
import org.jvrpc.benchmarks.hdfs.NameNodeEnd;
import org.jvrpc.benchmarks.jvrpc.BesideIdle;
import org.jvrpc.benchmarks.jvrpc.BesideIdleConnections;
import org.jvrpc.benchmarks.jvrpc.GreedyClient;
import org.jvrpc.benchmarks.jvrpc.JvrpcClient;
import org.jvrpc.benchmarks.jvrpc.JvrpcServer;
import org.jvrpc.benchmarks.jvrpc.ModestClients;
import org.jvrpc.benchmarks.jvrpc.NeighboursRun;
import org.jvrpc.benchmarks.jvrpc.SoakClient;
import org.jvrpc.benchmarks.jvrpc.Telemetry;
import org.jvrpc.benchmarks.jvrpc.TlsServer;
import org.jvrpc.benchmarks.kv.KvSampleClient;
import org.jvrpc.benchmarks.kv.KvSampleServer;
import org.jvrpc.benchmarks.kv.MemcachedServer;
import org.jvrpc.benchmarks.kv.SpyClient;
import org.jvrpc.benchmarks.kv.TextClient;
import org.jvrpc.benchmarks.kv.XmemcachedClient;
import org.jvrpc.benchmarks.limit.Copy;
import org.jvrpc.benchmarks.limit.CopyEcho;
import org.jvrpc.benchmarks.limit.PingPong;
import org.jvrpc.benchmarks.peer.AeronClient;
import org.jvrpc.benchmarks.peer.AeronServer;
import org.jvrpc.benchmarks.peer.GrpcClient;
import org.jvrpc.benchmarks.peer.GrpcKind;
import org.jvrpc.benchmarks.peer.GrpcServer;
import org.jvrpc.benchmarks.peer.PolledClient;
import org.jvrpc.benchmarks.peer.PolledServer;
import org.jvrpc.benchmarks.peer.SocketClient;
import org.jvrpc.benchmarks.peer.SocketKind;
import org.jvrpc.benchmarks.peer.SocketServer;
import org.jvrpc.benchmarks.peer.StreamClient;
import org.jvrpc.benchmarks.peer.StreamServer;
import org.jvrpc.benchmarks.rdma.Link;
import org.jvrpc.benchmarks.rdma.Verb;
import org.jvrpc.benchmarks.rdma.VerbsClient;
import org.jvrpc.benchmarks.rdma.VerbsServer;
import org.jvrpc.benchmarks.redn.IfLoop;
import org.jvrpc.benchmarks.redn.LookupClient;
import org.jvrpc.benchmarks.redn.LookupServer;
import org.jvrpc.benchmarks.roce.DatagramClient;
import org.jvrpc.benchmarks.roce.DatagramServer;
import org.jvrpc.benchmarks.router.RouterContenders;
import org.jvrpc.benchmarks.zookeeper.ZkClient;
import org.jvrpc.benchmarks.zookeeper.ZkServer;
import org.jvrpc.benchmarks.zookeeper.ZkTransport;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.samples.kv.rpc.KvWay;

/** All contenders, in the order of the tables. Naming one loads none of its classes. */
public final class Contenders {

    /** The bare ping-pong. */
    public static final String LIMIT = "limit";
    /** jvRPC with the spinning idle strategy; ratios are to it. */
    public static final String JVRPC = "jvrpc";

    /** jvRPC as users get it, with the default idle strategy. */
    public static final String ADAPTIVE = "jvrpc-adaptive";

    /** The same as {@link #JVRPC}, where nothing is counted. */
    public static final String NO_COUNTERS = "jvrpc-no-counters";

    /** The same as {@link #JVRPC}, with interceptors at both ends that trace hardly any call. */
    public static final String SAMPLED_OUT = "jvrpc-sampled-out";

    /** The same as {@link #JVRPC}, with a span of each call at both ends. */
    public static final String SAMPLED = "jvrpc-sampled";

    /** The same as {@link #ADAPTIVE}, with AOT caches from a rehearsal: {@code warmup} makes them. */
    public static final String AOT = "jvrpc-aot";

    /** The same as {@link #JVRPC}, where its asynchronous calls have callbacks. */
    public static final String CALLBACK = "jvrpc-callback";

    /** The fastest peer. */
    public static final String AERON = "aeron-ipc";

    /** One core's copy bandwidth. */
    public static final String COPY = "copy";

    /** A bare echo through shared memory. */
    public static final String COPY_ECHO = "copy-echo";

    /** From this size on the copy limit is measured: a shorter copy takes less than the clock tells apart. */
    private static final int LARGE_BYTES = 4096;

    /** Its many layers are compiled late. */
    private static final long GRPC_CALLS = 50_000;

    private static final List<Contender> ALL = with(RouterContenders.all(),
            new Contender(LIMIT, PingPong.Server::new, PingPong.Client::new),
            new Contender(COPY, () -> new Copy.Server(false), () -> new Copy.Client(false)),
            new Contender("copy-cross", () -> new Copy.Server(true), () -> new Copy.Client(true)),
            new Contender(COPY_ECHO, CopyEcho.Server::new, CopyEcho.Client::new),
            jvrpc(JVRPC, IdleStrategy.SPIN, false),
            jvrpc(NO_COUNTERS, IdleStrategy.SPIN, false).withFlags("-D" + Counters.PROPERTY + "=false"),
            jvrpc(SAMPLED_OUT, IdleStrategy.SPIN, false).withFlags("-D" + Telemetry.PROPERTY + "=" + Telemetry.OUT),
            jvrpc(SAMPLED, IdleStrategy.SPIN, false).withFlags("-D" + Telemetry.PROPERTY + "=" + Telemetry.ALL),
            jvrpc("jvrpc-buffer", IdleStrategy.SPIN, true),
            jvrpc(ADAPTIVE, null, false),
            jvrpc(AOT, null, false),
            jvrpc("jvrpc-buffer-adaptive", null, true),
            new Contender(CALLBACK, () -> new JvrpcServer(IdleStrategy.SPIN),
                    () -> JvrpcClient.withCallbacks(IdleStrategy.SPIN)),
            new Contender(CALLBACK + "-adaptive", () -> new JvrpcServer(null), () -> JvrpcClient.withCallbacks(null)),
            jvrpc("jvrpc-back-off", IdleStrategy.BACK_OFF, false),
            jvrpc("jvrpc-block", IdleStrategy.BLOCK, false),
            sessions(JVRPC, IdleStrategy.SPIN, 1),
            sessions(JVRPC, IdleStrategy.SPIN, 1000),
            sessions(JVRPC, IdleStrategy.SPIN, 4000),
            sessions(ADAPTIVE, null, 1),
            sessions(ADAPTIVE, null, 1000),
            sessions(ADAPTIVE, null, 4000),
            new Contender(Redn.IF, IfLoop::server, IfLoop::new),
            modest(Neighbours.SHM, IdleStrategy.SPIN, () -> new JvrpcServer(IdleStrategy.SPIN)),
            greedy(Neighbours.SHM + NeighboursRun.CALLS, IdleStrategy.SPIN, 0),
            greedy(Neighbours.SHM + NeighboursRun.BODIES, IdleStrategy.SPIN, 1 << 20),
            // BLOCK: a client that spins and goes first would keep the kernel's device from its work.
            modest(Neighbours.RDMA, IdleStrategy.BLOCK, () -> rdmaServer(IdleStrategy.BLOCK)),
            greedy(Neighbours.RDMA + NeighboursRun.CALLS, IdleStrategy.BLOCK, 0),
            greedy(Neighbours.RDMA + NeighboursRun.BODIES, IdleStrategy.BLOCK, 1 << 20),
            lookup(Redn.GET, LookupKind.HASH_GET),
            lookup(Redn.GET_PARALLEL, LookupKind.HASH_GET_PARALLEL),
            lookup(Redn.WALK, LookupKind.LIST_WALK),
            lookup(Redn.WALK_BREAK, LookupKind.LIST_WALK_BREAK),
            kv("kv-one-sided", KvWay.ONE_SIDED, IdleStrategy.BLOCK),
            kv("kv-offload", KvWay.OFFLOAD, IdleStrategy.BLOCK),
            kv("kv-rpc", KvWay.RPC, IdleStrategy.SPIN),
            kv("kv-rpc-adaptive", KvWay.RPC, IdleStrategy.ADAPTIVE),
            new Contender("kv-text-tcp", () -> new MemcachedServer(false), TextClient::new),
            new Contender("kv-text-uds", () -> new MemcachedServer(true), TextClient::new),
            new Contender("kv-spymemcached", () -> new MemcachedServer(false), SpyClient::new),
            new Contender("kv-xmemcached", () -> new MemcachedServer(false), XmemcachedClient::new),
            zooKeeper("jvrpc", ZkTransport.JVRPC),
            zooKeeper("nio", ZkTransport.NIO),
            zooKeeper("netty", ZkTransport.NETTY),
            hdfs(Hdfs.JVRPC, true),
            hdfs(Hdfs.STOCK, false),
            new Contender("soak", () -> new JvrpcServer(null), () -> new SoakClient(Long.getLong(Soak.SEED_PROPERTY))),
            new Contender(AERON, AeronServer::new, AeronClient::new)
                    .withFlags("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                            "-Dagrona.disable.bounds.checks=true")
                    .withOneThread(),
            socket("tcp-blocking", SocketKind.TCP, false),
            socket("tcp-spinning", SocketKind.TCP, true),
            new Contender(Rdma.TCP_BLOCKING, StreamServer::new, StreamClient::new),
            socket(Rdma.TCP_SPINNING, SocketKind.LINK, true),
            verb(Rdma.SEND, Verb.SEND, "user"),
            verb(Rdma.SEND_GENERIC, Verb.SEND, "generic"),
            Contender.ofProgram(Rdma.SEND_C, List.of()),
            verb(Rdma.WRITE, Verb.WRITE, "user"),
            verb(Rdma.READ, Verb.READ, "user"),
            verb(Rdma.CAS, Verb.CAS, "user"),
            new Contender(Rdma.NULL_RPC, () -> rdmaServer(IdleStrategy.SPIN),
                    () -> new JvrpcClient(IdleStrategy.SPIN, false)),
            new Contender(Roce.UDP, DatagramServer::new, () -> new DatagramClient(false)),
            roce(Roce.JVRPC, IdleStrategy.SPIN),
            roce(Roce.ADAPTIVE, null),
            roceVerb(Roce.SEND, Verb.PING),
            roceVerb(Roce.SEND_SIGNALLED, Verb.SEND),
            new Contender(Roce.UDP_STREAM, DatagramServer::new, () -> new DatagramClient(true)),
            roceVerb(Roce.WRITE, Verb.TRANSFER),
            socket("uds-blocking", SocketKind.UDS, false),
            socket("uds-spinning", SocketKind.UDS, true),
            stream(Network.TCP, "tcp://127.0.0.1:0", IdleStrategy.SPIN),
            stream(Network.TCP + Network.BLOCK, "tcp://127.0.0.1:0", IdleStrategy.BLOCK),
            stream(Network.TCP + Network.ADAPTIVE, "tcp://127.0.0.1:0", null),
            stream(Network.UNIX, unixAddress(), IdleStrategy.SPIN),
            stream(Network.UNIX + Network.BLOCK, unixAddress(), IdleStrategy.BLOCK),
            polled("tcp-polling", SocketKind.TCP, false, false),
            polled("uds-polling", SocketKind.UDS, false, false),
            polled("tls-spinning", SocketKind.TCP, true, true),
            polled("tls-polling", SocketKind.TCP, true, false),
            idle(Network.TCP, IdleStrategy.SPIN, false, 1),
            idle(Network.TCP, IdleStrategy.SPIN, false, 10_000),
            idle(Network.TCP + Network.ADAPTIVE, null, false, 1),
            idle(Network.TCP + Network.ADAPTIVE, null, false, 10_000),
            idle(Network.TCP + Network.BLOCK, IdleStrategy.BLOCK, false, 1),
            idle(Network.TCP + Network.BLOCK, IdleStrategy.BLOCK, false, 10_000),
            idle(Network.TLS, IdleStrategy.SPIN, true, 1),
            idle(Network.TLS, IdleStrategy.SPIN, true, 10_000),
            tls(Network.TLS, IdleStrategy.SPIN),
            tls(Network.TLS + Network.BLOCK, IdleStrategy.BLOCK),
            grpc("grpc-tls", GrpcKind.TLS),
            grpc("grpc", GrpcKind.TCP),
            grpc("grpc-direct", GrpcKind.TCP_DIRECT),
            grpc("grpc-uds", GrpcKind.UDS));

    private Contenders() {
    }

    private static List<Contender> with(List<Contender> more, Contender... most) {
        return Stream.concat(Stream.of(most), more.stream()).toList();
    }

    private static Contender jvrpc(String name, IdleStrategy idle, boolean buffers) {
        return new Contender(name, () -> new JvrpcServer(idle), () -> new JvrpcClient(idle, buffers));
    }

    /** With heaps that have their size from the start: what grows is what sessions hold. */
    private static Contender sessions(String name, IdleStrategy idle, int count) {
        return new Contender(Sessions.name(name, count), () -> BesideIdle.server(idle, count),
                () -> new BesideIdle(idle, count)).withFlags("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");
    }

    private static Contender verb(String name, Verb verb, String driver) {
        return new Contender(name, () -> new VerbsServer(verb, driver), () -> new VerbsClient(verb, driver));
    }

    private static Contender roce(String name, IdleStrategy idle) {
        return new Contender(name, () -> new JvrpcServer(idle, Roce.ADDRESS, null),
                () -> new JvrpcClient(idle, false));
    }

    private static Contender stream(String name, String address, IdleStrategy idle) {
        return new Contender(name, () -> new JvrpcServer(idle, address, null), () -> new JvrpcClient(idle, false));
    }

    /** With heaps that have their size from the start: what grows is what connections hold. */
    private static Contender idle(String name, IdleStrategy idle, boolean tls, int count) {
        return new Contender(NetworkIdle.name(name, count), () -> BesideIdleConnections.server(idle, tls, count),
                () -> new BesideIdleConnections(idle, count)).withFlags("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch",
                        "-XX:MaxDirectMemorySize=2g");
    }

    /** In a folder for files that go with the process. */
    private static String unixAddress() {
        return "unix://" + Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath() + "/jvrpc-bench-"
                + ProcessHandle.current().pid();
    }

    private static Contender roceVerb(String name, Verb verb) {
        return new Contender(name, () -> new VerbsServer(verb, () -> Roce.ADDRESS),
                () -> new VerbsClient(verb, () -> Roce.ADDRESS));
    }

    private static Contender modest(String name, IdleStrategy idle, Supplier<ServerEnd> server) {
        return new Contender(name + NeighboursRun.MODEST, server,
                () -> new ModestClients(() -> new JvrpcClient(idle, false)));
    }

    /** Clients of the modest ones' server: one of its own is never started. */
    private static Contender greedy(String name, IdleStrategy idle, int bodyBytes) {
        return new Contender(name, () -> new JvrpcServer(idle), () -> new GreedyClient(idle, bodyBytes));
    }

    private static JvrpcServer rdmaServer(IdleStrategy idle) {
        return new JvrpcServer(idle, Link.SERVER.calls(), Link.SERVER.calls(Link.CLIENT));
    }

    private static Contender lookup(String name, LookupKind kind) {
        return new Contender(name, () -> new LookupServer(kind), LookupClient::new);
    }

    /** Only calls need the server's processor; for the other ways it sleeps. */
    private static Contender kv(String name, KvWay way, IdleStrategy idle) {
        return new Contender(name, () -> new KvSampleServer(idle), () -> new KvSampleClient(way, idle));
    }

    private static Contender zooKeeper(String name, ZkTransport transport) {
        return new Contender(ZooKeeper.PREFIX + name, () -> new ZkServer(transport), () -> new ZkClient(transport));
    }

    /** Hadoop is not on this JVM's class path: its many jars would be searched for every class of all others. */
    private static Contender hdfs(String name, boolean plugin) {
        Path root = Path.of(System.getProperty("jvrpc.bench.root", ""));
        return new Contender(name, () -> new NameNodeEnd(plugin), () -> new HdfsClientEnd(plugin))
                .withFlags("-Djvrpc.bench.root=" + root)
                .withClasses(root.resolve("samples/hdfs/target/run.classpath"));
    }

    private static Contender grpc(String name, GrpcKind kind) {
        return new Contender(name, () -> new GrpcServer(kind), () -> new GrpcClient(kind)).withLeastCalls(GRPC_CALLS);
    }

    private static Contender polled(String name, SocketKind kind, boolean tls, boolean spinning) {
        return new Contender(name, () -> new PolledServer(kind, tls, spinning), () -> new PolledClient(kind, spinning));
    }

    private static Contender tls(String name, IdleStrategy idle) {
        return new Contender(name, () -> new TlsServer(idle), () -> new JvrpcClient(idle, false));
    }

    private static Contender socket(String name, SocketKind kind, boolean spinning) {
        return new Contender(name, () -> new SocketServer(kind, spinning), () -> new SocketClient(kind, spinning));
    }

    /** Returns true for payloads whose copies cost something. */
    static boolean isLarge(Workload workload) {
        return workload.size() >= LARGE_BYTES;
    }

    /** Returns true when a contender takes part in a workload. */
    public static boolean applies(Contender contender, Workload workload) {
        return isLarge(workload) || !contender.name().startsWith(COPY);
    }

    /** Returns the contender of a name. */
    public static Contender byName(String name) {
        for (Contender contender : ALL) {
            if (contender.name().equals(name)) {
                return contender;
            }
        }
        throw new IllegalArgumentException("unknown contender=" + name + " known=" + names());
    }

    /** Returns the contenders of some names, in their order here. */
    public static List<Contender> byNames(List<String> names) {
        return ALL.stream().filter(contender -> names.contains(contender.name())).toList();
    }

    /** Returns all names. */
    public static List<String> names() {
        return ALL.stream().map(Contender::name).toList();
    }
}
