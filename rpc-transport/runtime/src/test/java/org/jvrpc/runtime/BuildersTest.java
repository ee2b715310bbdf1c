package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.EndlessExecutor;
import org.jvrpc.testing.Waits;

/** What the builders of clients and servers take and refuse, each with the name of what is wrong. */
class BuildersTest {

    private static final MessageHandler HANDLER = (session, frame) -> { };

    private static void refused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private static void missing(String what, Executable use) {
        assertEquals(what, assertThrows(NullPointerException.class, use).getMessage());
    }

    @Test
    void aMessageClientTakesTheEndsOfEachRangeAndNothingBeyond() {
        MessageClient.Builder builder = MessageClient.builder("shm://x", HANDLER);
        assertSame(builder, builder.window(4).window(1024).pieceBytes(256).pieceBytes(1 << 20).maxFrameBytes(1)
                .maxFrameBytes(1 << 30).timeout(Duration.ofSeconds(1)));
        refused("window must be 4 to 1024, window=3", () -> builder.window(3));
        refused("window=1025", () -> builder.window(1025));
        refused("pieceBytes must be 256 to 1048576, pieceBytes=255", () -> builder.pieceBytes(255));
        refused("pieceBytes=1048577", () -> builder.pieceBytes((1 << 20) + 1));
        refused("maxFrameBytes must be 1 to 1073741824, maxFrameBytes=0", () -> builder.maxFrameBytes(0));
        refused("maxFrameBytes=1073741825", () -> builder.maxFrameBytes((1 << 30) + 1));
        missing("address", () -> MessageClient.builder(null, HANDLER));
        missing("handler", () -> MessageClient.builder("shm://x", null));
    }

    @Test
    void aMessageServerTakesWhatItCanKeepAndNothingElse() {
        MessageServer.Builder builder = MessageServer.builder();
        refused("needs bind(address) and handler(…): address=null", () -> builder.handler(() -> HANDLER).start());
        refused("needs bind(address) and handler(…): address=shm://x",
                () -> MessageServer.builder().bind("shm://x").start());
        assertSame(builder, builder.bind("shm://x").maxFrameBytes(1 << 30).admission(Admission.EVERYBODY)
                .maxQueuedBytes(1 << 16, 1 << 16).limits(new SessionLimits()).keepAlive(Duration.ofMillis(100))
                .idle(IdleStrategy.BLOCK).spin(Duration.ZERO));
        refused("maxFrameBytes=0", () -> builder.maxFrameBytes(0));
        refused("maxQueuedBytes must be at least 65536", () -> builder.maxQueuedBytes((1 << 16) - 1, 1 << 20));
        refused("keepAlive", () -> builder.keepAlive(Duration.ofMillis(99)));
        missing("admission", () -> builder.admission(null));
        missing("idle", () -> builder.idle(null));
        missing("most", () -> builder.spin(null));
    }

    @Test
    void anRpcServerNeedsAnAddressAndAService() {
        refused("needs bind(address) and at least one service(…): address=null",
                () -> RpcServer.builder().service(Calls.class, new CallsImpl()).start());
        refused("address=shm://x", () -> RpcServer.builder().bind("shm://x").start());
        assertThrows(NullPointerException.class, () -> RpcServer.builder().service(Calls.class, null));
        missing("admission", () -> RpcServer.builder().admission(null));
        missing("listener", () -> RpcServer.builder().onSessionEnd(null));
    }

    @Test
    void settingsThatCannotBeAreRefusedByTheBuilderAtOnce() {
        RpcClient.Builder client = RpcClient.builder("shm://x");
        for (Executable bad : new Executable[] {() -> client.slots(0), () -> client.slotBytes(1),
            () -> client.initialSlots(0), () -> client.maxBodyBytes(-1), () -> client.deadline(Duration.ofNanos(-1)),
            () -> client.connectTimeout(Duration.ofNanos(-1)), () -> client.keepAlive(Duration.ZERO),
            () -> client.offloadConnections(-1), () -> client.offloadWait(Duration.ofNanos(-1)),
            () -> client.renewAfter(Duration.ofNanos(-1)), () -> RpcServer.builder().queuedCalls(-1),
            () -> RpcServer.builder().maxBodyBytes(-1), () -> RpcServer.builder().keepAlive(Duration.ZERO)}) {
            assertThrows(IllegalArgumentException.class, bad);
        }
        assertThrows(NullPointerException.class, () -> client.idle(null));
        assertThrows(NullPointerException.class, () -> RpcServer.builder().idle(null));
    }

    @Test
    void aBuilderIsTheSameThroughAllItsSettings() {
        RpcClient.Builder client = RpcClient.builder("shm://x");
        assertSame(client, assertDoesNotThrow(() -> client.slots(4).initialSlots(2).slotBytes(4096)
                .maxBodyBytes(1 << 20)
                .deadline(Duration.ofSeconds(1)).idle(IdleStrategy.BLOCK).connectTimeout(Duration.ofSeconds(1))
                .reconnect(false).keepAlive(Duration.ofSeconds(1)).renewAfter(Duration.ofHours(1))
                .offloadConnections(1).offloadWait(Duration.ofMillis(1)).intercept((call, next) -> { })));
        RpcServer.Builder server = RpcServer.builder();
        assertSame(server, server.bind("shm://x").service(Calls.class, new CallsImpl()).executor(null)
                .admission(Admission.EVERYBODY).queuedCalls(10).limits(new SessionLimits()).idle(IdleStrategy.SPIN)
                .maxBodyBytes(1 << 20).keepAlive(Duration.ofSeconds(1)).context(false).onSessionEnd(id -> { }));
    }

    private static String refusal(Executable connecting) {
        RpcException refused = assertThrows(RpcException.class, connecting);
        assertEquals(Status.RESOURCE_EXHAUSTED, refused.status());
        return refused.getMessage();
    }

    @Test
    void aServerHasTheLimitsThatItsBuilderWasGiven() {
        SessionLimits limits = new SessionLimits().maxSessions(1);
        RpcServer.Builder calls = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .limits(limits);
        MessageServer.Builder messages = MessageServer.builder().bind(ShmFolder.address()).handler(() -> HANDLER)
                .limits(limits);
        limits.maxSessions(2);
        try (RpcServer server = calls.start(); RpcClient one = RpcClient.connect(server.address())) {
            String why = refusal(() -> RpcClient.connect(one.address()));
            assertTrue(why.contains("max sessions 1 reached"), why);
        }
        try (MessageServer server = messages.start();
                MessageClient one = MessageClient.builder(server.address(), HANDLER).connect()) {
            String why = refusal(() -> MessageClient.builder(server.address(), HANDLER).connect());
            assertTrue(why.contains("max sessions 1 reached"), why);
            assertTrue(one.session().isOpen());
        }
    }

    @Test
    void aClientThatLeavesTakesNothingOfTheServersBudget() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start()) {
            try (RpcClient client = RpcClient.connect(server.address())) {
                assertTrue(Cores.of(client).isConnected());
                assertFalse(Cores.of(server).budget().isEmpty());
            }
            Waits.until("its part to be given back", () -> Cores.of(server).budget().isEmpty());
        }
    }

    @Test
    void heavyMethodsRunWhereTheBuilderSays() {
        ExecutorService own = Executors.newSingleThreadExecutor();
        List<Runnable> ran = new CopyOnWriteArrayList<>();
        ExecutorService seen = new EndlessExecutor() {
            @Override
            public void execute(Runnable task) {
                ran.add(task);
                own.execute(task);
            }
        };
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .executor(seen).start(); RpcClient client = RpcClient.connect(server.address())) {
            client.stub(Calls.class).echoHeavy(new byte[1]);
            assertEquals(1, ran.size());
        } finally {
            own.shutdown();
        }
    }

    @Test
    void onlyTheThreadThatCallsHandlersIsThePollingThread() {
        AtomicReference<MessageServer> server = new AtomicReference<>();
        BlockingQueue<Boolean> polling = new LinkedBlockingQueue<>();
        MessageHandler asks = (session, frame) -> polling.add(server.get().isPollingThread());
        try (MessageServer closes = MessageServer.builder().bind(ShmFolder.address()).handler(() -> asks).start();
                MessageClient client = MessageClient.builder(closes.address(), HANDLER).connect()) {
            server.set(closes);
            client.send(ByteBuffer.allocate(8));
            Waits.until("the frame", () -> !polling.isEmpty());
            assertEquals(true, polling.remove());
            assertFalse(closes.isPollingThread());
        }
    }
}
