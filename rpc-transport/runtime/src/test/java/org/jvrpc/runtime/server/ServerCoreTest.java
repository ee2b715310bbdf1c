package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.runtime.contract.QuotesService;
import org.jvrpc.runtime.offload.ServerOffloads;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.runtime.verbs.StillDevice;
import org.jvrpc.runtime.verbs.StillDevices;
import org.jvrpc.runtime.verbs.StillRequest;

/** How a server begins and ends, and what its handlers can ask for. */
class ServerCoreTest {

    private static final Duration LONG = Duration.ofNanos(Await.BOUND_NS);
    private static final Duration KEEP_ALIVE = Duration.ofMillis(100);
    private static final int MOST_WAITS = 1000;

    private final List<AutoCloseable> made = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : made) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        made.add(closeable);
        return closeable;
    }

    /** Makes a server whose threads do not run. */
    private ServerCore make(ServerOptions options) {
        ServerCore core = new ServerCore(options);
        made.add(core::shutdownNow);
        return core;
    }

    private StillServer serve() {
        return keep(new StillServer());
    }

    private static ServerOptions options(String address) {
        ServerOptions options = new ServerOptions();
        options.address(address);
        options.service(new CallsService(), new CallsImpl());
        options.service(new QuotesService(), new QuotesImpl());
        return options;
    }

    private static ServerOptions options(String address, Clock clock, Threads threads) {
        ServerOptions options = options(address);
        options.settings().environment(new Environment(clock, threads));
        return options;
    }

    // ---- the beginning

    @Test
    void itKnowsItsAddressAndWhatItsSessionsCost() {
        String address = ShmFolder.address();
        ServerCore core = make(options(address));
        assertEquals(address, core.address());
        assertNotNull(core.budget());
    }

    @Test
    void aServerWhoseOffloadsFailLeavesItsAddressToTheNext() {
        String address = ShmFolder.address();
        ServerOptions failing = options(address);
        failing.offloads().add(all -> {
            throw new IllegalArgumentException("planted");
        });
        assertEquals("planted",
                assertThrows(IllegalArgumentException.class, () -> new ServerCore(failing)).getMessage());
        ServerOptions good = options(address);
        CompletableFuture<ServerOffloads> offered = new CompletableFuture<>();
        good.offloads().add(offered::complete);
        ServerCore core = make(good);
        assertSame(core.offloads(), offered.join());
    }

    @Test
    void optionsAreWhatWasSet() {
        ServerOptions options = new ServerOptions();
        assertFalse(options.hasServices());
        options.service(new CallsService(), new CallsImpl());
        assertTrue(options.hasServices());
        assertSame(Admission.EVERYBODY, options.admission());
        Admission nobody = client -> "nobody";
        options.admission(nobody);
        assertSame(nobody, options.admission());
        SessionLimits limits = new SessionLimits();
        options.limits(limits);
        assertSame(limits, options.limits());
        assertFalse(options.context());
        options.context(true);
        assertTrue(options.context());
        options.offloads().add(all -> { });
        assertEquals(1, options.offloads().size());
        options.interceptors().add((call, next) -> next.proceed());
        assertEquals(1, options.interceptors().size());
    }

    // ---- handlers

    private static byte[] text(String text) {
        return StillServer.bytes(writer -> writer.writeString(text));
    }

    private static void contextIs(String expected, StillServer server) {
        server.open();
        server.call(1, CallsService.CONTEXT, text("x"));
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertArrayEquals(text(expected), server.peer.last().bytes());
        assertNull(ServerCore.context(), "it stays after the call");
    }

    @Test
    void handlersHaveNoContextUnlessTheServerIsMadeWithIt() {
        contextIs("none", serve());
        contextIs("context null", keep(new StillServer(options -> options.context(true))));
    }

    @Test
    void interceptorsAreRunInTheirOrderAndHaveAContext() {
        List<String> run = new ArrayList<>();
        contextIs("context null", keep(new StillServer(options -> {
            for (String name : new String[] {"outer", "inner"}) {
                options.interceptors().add((call, next) -> {
                    run.add(name + " " + call.method().name());
                    next.proceed();
                });
            }
        })));
        assertEquals(List.of("outer context", "inner context"), run);
    }

    @Test
    void theDeadlineOfACallIsNotThatOfTheNextInItsSlot() {
        StillServer server = keep(new StillServer(options -> options.context(true)));
        server.open();
        byte[] deadline = StillServer.bytes(writer -> {
            writer.writeLong(1000);
            writer.writeCount(0);
        });
        server.callExtended(1, CallsService.REMAINING_NS, new byte[0], deadline);
        assertArrayEquals(StillServer.bytes(writer -> writer.writeLong(1000)), server.peer.last().bytes());
        server.call(1, CallsService.REMAINING_NS, new byte[0]);
        assertArrayEquals(StillServer.bytes(writer -> writer.writeLong(Long.MAX_VALUE)), server.peer.last().bytes());
    }

    @Test
    void anInterruptThatAHandlerLeavesBehindIsNotMeantForThePoller() {
        StillServer server = keep(new StillServer(options -> options.interceptors().add((call, next) -> {
            Thread.currentThread().interrupt();
            next.proceed();
        })));
        server.open();
        server.call(1, CallsService.NOTHING, new byte[0]);
        assertFalse(Thread.interrupted());
    }

    // ---- the end

    @Test
    void aSessionIsGivenBackByTheControlThreadAndItsEndIsTold() {
        StillServer server = serve();
        server.core.start();
        server.core.bury(server.session);
        server.core.shutdownNow();
        assertEquals(List.of(1L), server.ended);
        assertTrue(server.peer.isClosed());
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void aServerWhosePollerFailsEnds() throws InterruptedException {
        StillServer server = serve();
        assertFalse(server.core.awaitTermination(Duration.ZERO));
        server.core.pollerFailed();
        assertTrue(server.core.isDraining());
        assertTrue(server.core.awaitTermination(LONG));
    }

    @Test
    void anExecutorThatWasGivenIsNotShutDown() {
        StillServer server = serve();
        server.core.shutdownNow();
        assertEquals(0, server.executor.shutdowns);
    }

    @Test
    void noMemoryIsMadeForAServerThatIsOver() {
        StillServer server = serve();
        CompletableFuture<Thread> maker = new CompletableFuture<>();
        server.core.allocate(() -> maker.complete(Thread.currentThread()));
        assertTrue(Await.join(maker).getName().startsWith("jvrpc-memory-"));
        server.core.shutdownNow();
        RpcException e = assertThrows(RpcException.class, () -> server.core.allocate(() -> { }));
        assertEquals(Status.UNAVAILABLE, e.status());
    }

    @Test
    void whatIsOfferedEndsWithTheServer() {
        ServerCore core = make(options(ShmFolder.address()));
        core.shutdownNow();
        assertFalse(takesOffers(core));
    }

    @Test
    void closingFromAnInterruptedThreadEndsTheServerAndKeepsTheInterrupt() throws InterruptedException {
        StillServer server = serve();
        Thread.currentThread().interrupt();
        server.core.close();
        assertTrue(Thread.interrupted());
        assertTrue(server.core.awaitTermination(Duration.ZERO));
    }

    @Test
    void aServerThatShutsDownFreesItsAddressAtOnceAndEndsWhenItIsQuiet() throws InterruptedException {
        Map<String, Runnable> threads = new HashMap<>();
        Threads still = (task, name) -> {
            threads.put(name, task);
            return new Thread(() -> { }, name);
        };
        int[] looks = new int[1];
        ServerCore[] core = new ServerCore[1];
        List<Boolean> offers = new ArrayList<>();
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return 1;
            }

            @Override
            public void parkNanos(Object blocker, long ns) {
                offers.add(takesOffers(core[0]));
                if (++looks[0] == 7) {
                    core[0].shutdownNow();
                }
            }
        };
        core[0] = make(options(ShmFolder.address(), clock, still));
        core[0].shutdown();
        make(options(core[0].address()));
        assertTrue(core[0].isDraining());
        assertFalse(core[0].awaitTermination(Duration.ZERO));
        threads.get("jvrpc-drain").run();
        assertEquals(7, looks[0], "its poller never was quiet");
        assertFalse(offers.contains(true), "something was offered after the shutdown");
        assertTrue(core[0].awaitTermination(Duration.ZERO));
    }

    @Test
    void threeLooksThatFindItQuietAreEnough() throws InterruptedException {
        Map<String, Runnable> threads = new HashMap<>();
        int[] looks = new int[1];
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return 1;
            }

            @Override
            public void parkNanos(Object blocker, long ns) {
                if (blocker instanceof ServerCore && looks[0]++ == 0) {
                    ServerPoller poller = (ServerPoller) threads.get("poller");
                    poller.housekeeping(); // which tells all that no calls are taken
                    poller.pollAll();
                }
            }
        };
        ServerCore core = make(options(ShmFolder.address(), clock, (task, name) -> {
            threads.put(name.replaceFirst("^jvrpc-(\\w+).*", "$1"), task);
            return name.startsWith("jvrpc-control") ? Threads.DAEMONS.make(task, name) : new Thread(() -> { }, name);
        }));
        core.start();
        core.shutdown();
        threads.get("drain").run();
        assertEquals(3, looks[0]);
        assertTrue(core.awaitTermination(Duration.ZERO));
    }

    @Test
    void aServerThatIsStoppedFreesItsAddressBeforeItsPollerEnds() {
        CompletableFuture<String> next = new CompletableFuture<>();
        String address = ShmFolder.address();
        ServerCore core = make(options(address, Clock.SYSTEM, (task, name) -> Threads.DAEMONS.make(() -> {
            task.run();
            if (name.startsWith("jvrpc-poller")) {
                try {
                    new ServerCore(options(address)).shutdownNow();
                    next.complete("free");
                } catch (RuntimeException e) {
                    next.completeExceptionally(e);
                }
            }
        }, name)));
        core.start();
        core.shutdownNow();
        assertEquals("free", Await.outcome(next));
    }

    /** Makes a server on a device that does only what it is told to. */
    private ServerCore serve(StillDevice device, Clock clock, Threads threads) {
        StillDevices.next(device);
        device.quick = true;
        ServerOptions options = options("still://here", clock, threads);
        options.settings().keepAlive(KEEP_ALIVE);
        return make(options);
    }

    @Test
    void aServerWhoseDeviceIsGoneEnds() throws InterruptedException {
        StillDevice device = new StillDevice();
        device.lost = true;
        ServerCore core = serve(device, Clock.SYSTEM, Threads.DAEMONS);
        core.start();
        assertTrue(core.awaitTermination(LONG));
    }

    @Test
    void aClientOnAnotherHostIsAskedForASignOfLife() {
        StillDevice device = new StillDevice();
        device.peerHost = InetAddress.getLoopbackAddress();
        Map<String, Runnable> threads = new HashMap<>();
        long[] nowNs = {1};
        ServerCore core = serve(device, () -> nowNs[0], (task, name) -> {
            threads.put(name, task);
            return new Thread(() -> { }, name);
        });
        core.start();
        ServerPoller poller = (ServerPoller) threads.get("jvrpc-poller-here");
        device.requests.add(new StillRequest(device, StillServer.HELLO, () -> { }));
        int[] waits = new int[1];
        device.whenAwaiting = () -> {
            poller.pollAll();
            nowNs[0] += KEEP_ALIVE.toNanos();
            poller.housekeeping();
            if (device.pings() > 0 || ++waits[0] == MOST_WAITS) {
                core.shutdownNow();
            }
        };
        threads.get("jvrpc-control-here").run();
        assertEquals(1, device.pings());
    }

    private static boolean takesOffers(ServerCore core) {
        try {
            core.offloads().offer(Quotes.class, "name", new OffloadSettings());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    // ---- with a client

    private RpcServer serve(CallsImpl impl) {
        return keep(RpcServer.builder().bind(ShmFolder.address()).idle(IdleStrategy.BLOCK).maxBodyBytes(1 << 20)
                .service(Calls.class, impl).start());
    }

    @Test
    void aSleepingPollerIsWokenForTheAnswerOfAHeavyCall() {
        CallsImpl impl = new CallsImpl();
        RpcServer server = serve(impl);
        RpcClient client = keep(RpcClient.builder(server.address()).deadline(Duration.ofSeconds(8)).connect());
        CompletableFuture<Long> call = Await.start(() -> client.stub(Calls.class).hang(7));
        Await.until("the handler", () -> impl.hanging.get() == 1);
        Await.asleep("jvrpc-poller-" + server.address().replaceFirst("^.*://", ""));
        impl.openGate();
        assertEquals(7, Await.join(call));
    }

    @Test
    void clientsAreToldTheLongestBodyAndItsThreadsEndWithTheServer() {
        RpcServer server = serve(new CallsImpl());
        RpcClient client = keep(RpcClient.connect(server.address()));
        Calls calls = client.stub(Calls.class);
        assertEquals(5, calls.add(2, 3));
        assertEquals((1 << 20) - 4, calls.count(new byte[(1 << 20) - 4]));
        RpcException e = assertThrows(RpcException.class, () -> calls.count(new byte[1 << 20]));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        String name = "jvrpc-poller-" + server.address().replaceFirst("^.*://", "");
        Cores.of(server).shutdownNow();
        assertFalse(Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals(name)));
    }
}
