package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What is wrong is told, and everything else goes on. */
public abstract class BadInputContract extends RpcContract {

    private static void says(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message != null && message.contains(part), "\"" + message + "\" does not say " + part);
        }
    }

    private static void goesOn(RpcClient client) {
        assertEquals(3, client.stub(Calls.class).add(1, 2));
        assertEquals(3L, Await.outcome(async(client).add(1, 2)));
    }

    @Test
    void anUnknownServiceIsUnimplemented() {
        RpcClient client = connect(serve());
        says(failsWith(Status.UNIMPLEMENTED, () -> client.stub(Twin.class)),
                Twin.class.getName(), Calls.class.getName());
        goesOn(client);
    }

    @Test
    void anAddressWhereNobodyListensIsUnavailable() {
        String address = newAddress();
        says(failsWith(Status.UNAVAILABLE, () -> RpcClient.connect(address)), address.replaceFirst(".*://", ""));
    }

    @Test
    void addressesThatAreNoneAreIllegalArguments() {
        String scheme = newAddress().replaceFirst("://.*", "");
        for (String address : new String[] {"", "x", "nowhere://x", "://x", scheme, scheme + "://",
            scheme + "://a/b", scheme + "://" + "x".repeat(200), scheme + "://../x", scheme + "://\0"}) {
            assertThrows(IllegalArgumentException.class, () -> RpcClient.connect(address), address);
            assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().bind(address)
                    .service(Calls.class, new CallsImpl()).start(), address);
        }
        says(assertThrows(IllegalArgumentException.class, () -> RpcClient.connect("nowhere://x")).getMessage(),
                "nowhere://x", scheme + "://");
        assertThrows(IllegalArgumentException.class,
                () -> RpcServer.builder().service(Calls.class, new CallsImpl()).start());
        assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().bind(newAddress()).start());
    }

    @Test
    void settingsOutOfRangeAreIllegalArguments() {
        RpcClient.Builder client = RpcClient.builder("any://x");
        says(assertThrows(IllegalArgumentException.class, () -> client.slots(0)).getMessage(), "slots=0");
        assertThrows(IllegalArgumentException.class, () -> client.slots(4097));
        assertThrows(IllegalArgumentException.class, () -> client.slotBytes(255));
        assertThrows(IllegalArgumentException.class, () -> client.slotBytes((1 << 20) + 1));
        assertThrows(IllegalArgumentException.class, () -> client.maxBodyBytes((1L << 30) + 1));
        assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().maxBodyBytes(1));
        assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().service(Calls.class, new CallsImpl())
                .service(Calls.class, new CallsImpl()));
        assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().service(Runnable.class, () -> {
        }));
    }

    @Test
    void aNameInUseIsRefusedAndItsOwnerGoesOn() {
        TestServer server = serve();
        RuntimeException e = assertThrows(RuntimeException.class, () -> serve(server.address(), builder -> builder));
        says(e.getMessage(), server.address(), "in use");
        goesOn(connect(server));
    }

    @Test
    void argumentsLongerThanTheLimitAreRefusedWithBothNumbers() {
        TestServer server = serve(newAddress(), builder -> builder.maxBodyBytes(1 << 20));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        byte[] tooLong = new byte[(1 << 20) - 3];
        String message = failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.count(tooLong));
        says(message, "1048577", "1048576", "count");
        goesOn(client);
        assertEquals((1 << 20) - 4, calls.count(new byte[(1 << 20) - 4]));
        RpcException later = assertThrows(RpcException.class, () -> async(client).count(tooLong).join());
        assertEquals(Status.RESOURCE_EXHAUSTED, later.status());
        goesOn(client);
    }

    @Test
    void resultsLongerThanTheClientsLimitAreRefusedWithBothNumbers() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.maxBodyBytes(1 << 20));
        Calls calls = client.stub(Calls.class);
        says(failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.sized((1 << 20) - 3, 1)), "1048577", "1048576", "sized");
        goesOn(client);
        assertEquals((1 << 20) - 4, calls.sized((1 << 20) - 4, 1).length);
        endedWith(Status.RESOURCE_EXHAUSTED, Await.outcome(async(client).sized(3 << 20, 1)));
        failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.echoHeavy(new byte[(1 << 20) + 5]));
        endedWith(Status.RESOURCE_EXHAUSTED, Await.outcome(calls.echoLater(new byte[(1 << 20) + 5])));
        goesOn(client);
    }

    @Test
    void oneWayBodiesLongerThanASlotAreRefused() {
        RpcClient client = connect(serve(), builder -> builder.slotBytes(512));
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 100; i++) {
            says(failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.tell(new byte[509])), "513", "512", "tell");
        }
        calls.tell(new byte[508]);
        goesOn(client);
        int told = askServer(side -> side.impl.told.size());
        assertEquals(1, told);
    }

    @Test
    void nullsWhereNoneMayBeAreInvalidArguments() {
        RpcClient client = connect(serve(), builder -> builder.slots(2));
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 5; i++) {
            says(failsWith(Status.INVALID_ARGUMENT, () -> calls.text(null)), "text");
            failsWith(Status.INVALID_ARGUMENT, () -> calls.echo(null));
            failsWith(Status.INVALID_ARGUMENT, () -> calls.tell(null));
            failsWith(Status.INVALID_ARGUMENT, () -> async(client).echo(null));
            failsWith(Status.INVALID_ARGUMENT, () -> calls.order(new Calls.Order(1, null, Calls.Side.BUY, 1, 1,
                    List.of())));
            failsWith(Status.INVALID_ARGUMENT, () -> calls.order(new Calls.Order(1, "x", Calls.Side.BUY, 1, 1,
                    Arrays.asList((Calls.Leg) null))));
            failsWith(Status.INVALID_ARGUMENT, () -> calls.copy(ByteBuffer.allocate(1), null));
        }
        goesOn(client);
    }

    @Test
    void aNullResultIsAnErrorOfTheServer() {
        TestServer server = serve(newAddress(), builder -> builder.service(Twin.class, text -> null));
        Twin twin = connect(server).stub(Twin.class);
        says(failsWith(Status.INTERNAL, () -> twin.say("x")), "say", "null");
        failsWith(Status.INTERNAL, () -> twin.say("x"));
    }

    private static final class OldLedger implements org.jvrpc.runtime.contract.old.Ledger {

        @Override
        public long balance(long account) {
            return account;
        }

        @Override
        public void book(long account, long amount) {
        }

        @Override
        public String owner(long account) {
            return "";
        }
    }

    @Test
    void aDifferentInterfaceOfTheSameNameIsServedWhereItIsTheSame() {
        TestServer server = serve(newAddress(), builder ->
                builder.service(org.jvrpc.runtime.contract.old.Ledger.class, new OldLedger()));
        RpcClient client = connect(server);
        assertEquals(4, client.stub(org.jvrpc.runtime.contract.old.Ledger.class).balance(4));
        org.jvrpc.runtime.contract.changed.Ledger changed =
                client.stub(org.jvrpc.runtime.contract.changed.Ledger.class);
        assertEquals(5, changed.balance(5));
        says(failsWith(Status.UNIMPLEMENTED, () -> changed.close(1)), "close(long)", "ledger");
        says(failsWith(Status.UNIMPLEMENTED, () -> changed.book(1, 2.0)), "book(long,double)",
                "it has book(long,long)");
        goesOn(client);
    }

    @Test
    void whateverAHandlerThrowsReachesTheCallerAsItsStatus() {
        RpcClient client = connect(serve());
        Calls calls = client.stub(Calls.class);
        assertEquals("no such thing", failsWith(Status.NOT_FOUND, () -> calls.fail("status")));
        says(failsWith(Status.UNKNOWN, () -> calls.fail("unchecked")), "IllegalStateException", "boom");
        says(failsWith(Status.UNKNOWN, () -> calls.fail("silent")), "NullPointerException");
        says(failsWith(Status.UNKNOWN, () -> calls.fail("error")), "AssertionError", "broken");
        says(failsWith(Status.UNKNOWN, () -> calls.fail("overflow")), "StackOverflowError");
        says(failsWith(Status.UNKNOWN, () -> calls.fail("verbose")), "IllegalStateException: xxx");
        assertEquals("not so", failsWith(Status.INVALID_ARGUMENT, () -> calls.fail("invalid")));
        for (String how : List.of("unchecked", "silent", "error", "overflow", "verbose")) {
            failsWith(Status.UNKNOWN, () -> calls.failHeavy(how));
            endedWith(Status.UNKNOWN, Await.outcome(async(client).fail(how)));
            for (String when : List.of("", "stage ")) {
                endedWith(Status.UNKNOWN, Await.outcome(async(client).failLater(when + how)));
                endedWith(Status.UNKNOWN, Await.outcome(async(client).failHeavyLater(when + how)));
            }
        }
        endedWith(Status.NOT_FOUND, Await.outcome(async(client).failHeavyLater("stage status")));
        endedWith(Status.INTERNAL, Await.outcome(async(client).failLater("null")));
        endedWith(Status.INTERNAL, Await.outcome(async(client).failHeavyLater("null")));
        goesOn(client);
    }

    @Test
    void classesThatNobodyRegisteredAreRefusedOnBothSides() {
        RpcClient client = connect(serve());
        Calls calls = client.stub(Calls.class);
        says(failsWith(Status.INVALID_ARGUMENT, () -> calls.graph(new Calls.Stranger())), "Stranger",
                "not registered");
        Calls.Node asks = new Calls.Node();
        asks.name = "stranger";
        says(failsWith(Status.INTERNAL, () -> calls.graph(asks)), "Stranger", "not registered");
        endedWith(Status.INTERNAL, Await.outcome(async(client).graph(asks)));
        goesOn(client);
    }

    @Test
    void anObjectOfTheWrongTypeIsAnInternalError() {
        RpcClient client = connect(serve());
        Forged forged = client.stub(Forged.class);
        Calls.Node node = new Calls.Node();
        node.name = "honest";
        says(failsWith(Status.INTERNAL, () -> forged.graphAsText(node)), "java.lang.String", "Node");
        says(failsWith(Status.INTERNAL, () -> forged.textAsGraph("no node")), "Node", "java.lang.String");
        goesOn(client);
    }

    @Test
    void anExecutorThatRejectsIsUnavailable() {
        TestServer server = serve(newAddress(), builder -> builder.executor(new Running(command -> {
            throw new RejectedExecutionException("full");
        })));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 3; i++) {
            says(failsWith(Status.UNAVAILABLE, () -> calls.echoHeavy(new byte[1])), "full");
            calls.tickHeavy(1);
            failsWith(Status.UNAVAILABLE, () -> calls.echo(new byte[2 << 20]));
        }
        goesOn(client);
    }

    @Test
    void anExecutorOfOnesOwnRunsHeavyCallsAndIsLeftRunning() throws Exception {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.own));
        assertEquals(3, connect(server).stub(Calls.class).echoHeavy(new byte[3]).length);
        server.close();
        boolean isShutdown = askServer(side -> side.own.isShutdown());
        assertFalse(isShutdown);
        TestServer direct = serve(newAddress(), builder -> builder.executor(new Running(Runnable::run)));
        assertEquals(3, connect(direct).stub(Calls.class).echoHeavy(new byte[3]).length);
        assertEquals(3, ((byte[]) Await.outcome(connect(direct).stub(Calls.class).echoHeavyLater(new byte[3]))).length);
    }

    /** Does with tasks what it is told. */
    private static final class Running extends EndlessExecutor {

        private final Executor with;

        Running(Executor with) {
            this.with = with;
        }

        @Override
        public void execute(Runnable command) {
            with.execute(command);
        }
    }

    @Test
    void aClientThatAsksForMoreMemoryThanServersGrantIsRefusedWithBothNumbers() {
        TestServer server = serve();
        RuntimeException e = assertThrows(IllegalArgumentException.class,
                () -> connect(server, builder -> builder.slots(4096).slotBytes(1 << 18)));
        says(e.getMessage(), Long.toString(4096L << 18), Long.toString(64L << 20));
        goesOn(connect(server));
    }

    @Test
    void aLightHandlerThatBlocksHoldsUpOthersButNotTheirDeadlines() {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls brief = client.stub(Calls.class,
                org.jvrpc.api.CallOptions.DEFAULT.withDeadlineAfter(java.time.Duration.ofMillis(60)));
        CompletableFuture<Long> blocked = async(client).hangLight(1);
        Await.until("the handler", () -> hanging() == 1);
        failsWith(Status.DEADLINE_EXCEEDED, () -> brief.add(1, 2));
        failsWith(Status.DEADLINE_EXCEEDED, () -> brief.echo(new byte[100_000]));
        openGate();
        assertInstanceOf(Long.class, Await.outcome(blocked));
        goesOn(client);
    }
}
