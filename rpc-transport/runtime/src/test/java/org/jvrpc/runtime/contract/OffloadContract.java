package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Status;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.OffloadedMethod;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.contract.Quotes.Query;
import org.jvrpc.runtime.contract.Quotes.Unknown;

/** Methods whose published answers clients find by program. */
public abstract class OffloadContract extends RpcContract {

    private static final UnaryOperator<RpcClient.Builder> PATIENT =
            builder -> builder.offloadWait(Duration.ofSeconds(10));

    private TestServer server;

    /** A call whose answer is published, wherever the server is. */
    @FunctionalInterface
    interface Asked extends OffloadedMethod.Call<Quotes>, Serializable {
    }

    /** As {@link TestServer.Use}, of a method that is offered. */
    @FunctionalInterface
    interface Use<T> extends Serializable {
        T of(OffloadedMethod<Quotes> method) throws Exception;
    }

    /** What a method is offered with. */
    @FunctionalInterface
    interface Chosen extends Serializable {
        OffloadSettings of(OffloadSettings settings);
    }

    /** A method that the server offers. */
    private record Offered(TestServer server, String method) {

        <T> T ask(Use<T> use) {
            String name = method;
            return server.ask(there -> use.of(there.offloaded(Quotes.class, name)));
        }

        MethodPublished publish(Asked call) {
            return ask(there -> there.publish(call));
        }

        boolean remove(Asked call) {
            return ask(there -> there.remove(call));
        }

        int size() {
            return ask(OffloadedMethod::size);
        }

        /** Returns how many clients run its programs. */
        int clients() {
            return ask(there -> there.clients().size());
        }
    }

    @BeforeEach
    void startQuotes() {
        server = serve(newAddress(), (builder, side) -> builder.service(Quotes.class, side.quotes));
    }

    private Offered offer(String method) {
        return offer(method, settings -> settings);
    }

    private Offered offer(String method, Chosen settings) {
        return server.ask(there -> {
            there.offload(Quotes.class, method, settings.of(new OffloadSettings()));
            return true;
        }) ? new Offered(server, method) : null;
    }

    /** Has the server answer so for {@link Quotes#last(long)}. */
    private void put(long instrument, long answer) {
        tellServer(side -> side.quotes.last.put(instrument, answer));
    }

    /** Returns a stub whose calls programs answer where they can. */
    private Quotes offloaded(RpcClient client, Offered last) {
        Quotes stub = client.stub(Quotes.class);
        last.publish(q -> q.last(-1));
        untilOffloaded(client, () -> stub.last(-1));
        last.remove(q -> q.last(-1));
        return stub;
    }

    /** Calls until a program answers. */
    private static void untilOffloaded(RpcClient client, Runnable call) {
        Await.until("a call to be answered by program", () -> isOffloaded(client, call));
    }

    private static boolean isOffloaded(RpcClient client, Runnable call) {
        long before = client.offloadedCalls();
        call.run();
        return client.offloadedCalls() > before;
    }

    @ParameterizedTest
    @EnumSource(Offer.Rearm.class)
    void aPublishedAnswerIsFoundWithoutTheServer(Offer.Rearm rearm) {
        Offered last = offer("last(long)", settings -> settings.rearm(rearm));
        put(42L, 4200L);
        assertEquals(MethodPublished.PUBLISHED, last.publish(q -> q.last(42)));
        RpcClient client = connect(server, PATIENT);
        Quotes stub = client.stub(Quotes.class);
        untilOffloaded(client, () -> assertEquals(4200, stub.last(42)));
        long asked = stub.asked();
        for (int i = 0; i < 1000; i++) {
            assertEquals(4200, stub.last(42));
        }
        assertEquals(asked, stub.asked());
        assertEquals(0, stub.last(43));
        assertEquals(asked + 1, stub.asked());
    }

    /** Says what a call ends with. */
    private static Object end(Asked call, Quotes stub) {
        try {
            Object result = call.on(stub);
            return result instanceof byte[] bytes ? bytes.length + " bytes" : result;
        } catch (Exception e) {
            return e.getClass() + " " + e.getMessage();
        }
    }

    @Test
    void everySignatureIsAnsweredTheSameWithProgramsAndWithout() {
        Offered last = offer("last(long)");
        Offered quote = offer("quote");
        Offered name = offer("name");
        Offered book = offer("book");
        RpcClient client = connect(server, PATIENT);
        Quotes plain = connect(server, builder -> builder.offloadConnections(0)).stub(Quotes.class);
        Quotes stub = offloaded(client, last);
        tellServer(side -> side.quotes.names.put("€uro", "a name with € and ☃"));
        List<Asked> calls = new ArrayList<>();
        for (long i = -3; i < 50; i++) {
            long id = i * i * i * 1_000_003;
            put(id, id * 7);
            calls.add(q -> q.last(id));
            calls.add(q -> q.quote(id));
            calls.add(q -> q.name("€uro" + (id == 0 ? "" : id)));
            calls.add(q -> q.book(new Query("v" + id, (int) (id & 7))));
        }
        for (int i = 0; i < calls.size(); i += 4) {
            last.publish(calls.get(i));
            quote.publish(calls.get(i + 1));
            assertEquals(MethodPublished.PUBLISHED, name.publish(calls.get(i + 2)));
            assertEquals(MethodPublished.PUBLISHED, book.publish(calls.get(i + 3)));
        }
        untilOffloaded(client, () -> end(calls.get(1), stub));
        untilOffloaded(client, () -> end(calls.get(2), stub));
        untilOffloaded(client, () -> end(calls.get(3), stub));
        long before = client.offloadedCalls();
        for (Asked call : calls) {
            assertEquals(end(call, plain), end(call, stub));
        }
        assertEquals(calls.size(), client.offloadedCalls() - before);
        book.ask(there -> {
            there.clear();
            return true;
        });
        assertEquals(0, book.size());
        before = client.offloadedCalls();
        for (Asked call : calls) {
            assertEquals(end(call, plain), end(call, stub));
        }
        assertEquals(calls.size() * 3L / 4, client.offloadedCalls() - before);
    }

    @Test
    void whatIsTooLongOrRemovedOrNeverWasPublishedIsAnOrdinaryCall() {
        Offered last = offer("last(long)");
        Offered document = offer("document");
        RpcClient client = connect(server, PATIENT);
        Quotes stub = offloaded(client, last);
        assertEquals(MethodPublished.PUBLISHED, document.publish(q -> q.document("abc")));
        assertEquals(MethodPublished.TOO_LONG, document.publish(q -> q.document("abcdef")));
        untilOffloaded(client, () -> assertArrayEquals(Bytes.of(300, 3), stub.document("abc")));
        assertFalse(isOffloaded(client, () -> assertArrayEquals(Bytes.of(600, 6), stub.document("abcdef"))));
        String longer = "x".repeat(5000); // than any arguments that could be published, and than a slot
        assertFalse(isOffloaded(client, () -> assertEquals(500_000, stub.document(longer).length)));
        assertTrue(document.remove(q -> q.document("abc")));
        assertFalse(document.remove(q -> q.document("abc")));
        assertFalse(isOffloaded(client, () -> assertArrayEquals(Bytes.of(300, 3), stub.document("abc"))));
        document.ask(there -> there.publish(q -> q.document("abc"), new byte[] {1, 2}));
        assertTrue(isOffloaded(client, () -> assertArrayEquals(new byte[] {1, 2}, stub.document("abc"))));
    }

    @Test
    void anOptionOrAnInterceptorOrTheAsynchronousTwinMakesOrdinaryCalls() throws Exception {
        Offered last = offer("last(long)");
        put(5L, 55L);
        last.publish(q -> q.last(5));
        RpcClient client = connect(server, PATIENT);
        Quotes stub = offloaded(client, last);
        assertTrue(isOffloaded(client, () -> assertEquals(55, stub.last(5))));
        Quotes hurried = client.stub(Quotes.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(20)));
        assertFalse(isOffloaded(client, () -> assertEquals(55, hurried.last(5))));
        QuotesAsync twin = client.asyncStub(Quotes.class, QuotesAsync.class);
        assertFalse(isOffloaded(client, () -> assertEquals(55L, Await.outcome(twin.last(5)))));
        RpcClient watched = connect(server, builder -> builder.intercept((call, next) -> next.proceed()));
        Quotes seen = watched.stub(Quotes.class);
        for (int i = 0; i < 100; i++) {
            assertEquals(55, seen.last(5));
        }
        assertEquals(0, watched.offloadedCalls());
        assertTrue(isOffloaded(client, () -> assertEquals(55, stub.last(5))));
    }

    @Test
    void whatTheImplementationThrowsIsPublishedWhereItIsDeclaredAndRemovesWhatWasThereWhereNot() {
        Offered last = offer("last(long)");
        Offered quote = offer("quote");
        RpcClient client = connect(server, PATIENT);
        Quotes stub = offloaded(client, last);
        assertEquals(MethodPublished.PUBLISHED, quote.publish(q -> q.quote(-7)));
        untilOffloaded(client, () ->
                assertEquals("instrument=-7", assertThrows(Unknown.class, () -> stub.quote(-7)).getMessage()));
        Quotes.Quote published = new Quotes.Quote(1, 2, "3");
        quote.ask(there -> there.publish(q -> q.quote(Long.MAX_VALUE), new Quotes.Quote(1, 2, "3")));
        assertTrue(isOffloaded(client, () -> assertEquals(published, end(q -> q.quote(Long.MAX_VALUE), stub))));
        assertThrows(IllegalStateException.class, () -> quote.publish(q -> q.quote(Long.MAX_VALUE)));
        assertFalse(isOffloaded(client, () -> failsWith(Status.UNKNOWN, () -> stub.quote(Long.MAX_VALUE))));
    }

    @Test
    void misuseIsRefusedByName() {
        Offered last = offer("last(long)");
        String message = refused(() -> offer("last"));
        assertTrue(message.contains("methods=2") && message.contains("last(long"), message);
        assertTrue(refused(() -> offer("last(long,int)")).contains("without @Offload"));
        assertTrue(refused(() -> offer("first")).contains("no method name=first"));
        assertTrue(refused(() -> offer("last(long)")).contains("already"));
        assertTrue(refused(() -> new Offered(server, "quote").size()).contains("is not offered"));
        boolean same = server.ask(there ->
                there.offloaded(Quotes.class, "last(long)") == there.offloaded(Quotes.class, "last(long)"));
        assertTrue(same);
        assertTrue(refused(() -> last.publish(q -> q.name("x"))).contains("not of"));
        assertTrue(refused(() -> last.publish(q -> null)).contains("no call"));
        assertTrue(refused(() -> last.ask(there -> there.publish(q -> q.last(1), "text")))
                .contains("text is no result"));
        assertTrue(refused(() -> last.ask(there -> there.publish(q -> q.last(1), null)))
                .contains("null is no result"));
        assertTrue(refused(() -> new OffloadSettings().answerBytes(10)).contains("answerBytes=10"));
        assertTrue(refused(() -> new OffloadSettings().capacity(0)).contains("capacity=0"));
        assertTrue(refused(() -> offer("quote", settings -> settings.capacity(1 << 24).answerBytes(1 << 20)))
                .contains("limit="));
        assertTrue(refused(() -> RpcClient.builder("shm://x").offloadConnections(3)).contains("offloadConnections=3"));
        assertEquals(0, last.size());
        String address = newAddress();
        assertTrue(refused(() -> serve(address, (builder, side) -> builder.service(Quotes.class, side.quotes)
                .offload(Quotes.class, "last", new OffloadSettings()))).contains("methods=2"));
        serve(address, (builder, side) -> builder.service(Quotes.class, side.quotes) // nothing of the first is left
                .offload(Quotes.class, "last(long)", new OffloadSettings()));
    }

    private static String refused(org.junit.jupiter.api.function.Executable misuse) {
        return assertThrows(IllegalArgumentException.class, misuse).getMessage();
    }

    @Test
    void aFullTableSaysSoAndItsOtherAnswersStay() {
        Offered last = offer("last(long)", settings -> settings.capacity(3));
        for (long i = 0; i < 4; i++) {
            long id = i;
            put(i, i + 10);
            assertEquals(i < 3 ? MethodPublished.PUBLISHED : MethodPublished.NO_ROOM, last.publish(q -> q.last(id)));
        }
        RpcClient client = connect(server, PATIENT);
        Quotes stub = client.stub(Quotes.class);
        untilOffloaded(client, () -> assertEquals(10, stub.last(0)));
        long before = client.offloadedCalls();
        for (int i = 0; i < 4; i++) {
            assertEquals(i + 10, stub.last(i));
        }
        assertEquals(3, client.offloadedCalls() - before);
    }

    @Test
    void aClientThatIsCutOffMakesOrdinaryCallsUntilItIsConnectedAgain() {
        Offered last = offer("last(long)");
        put(5L, 55L);
        RpcClient client = connect(server, PATIENT);
        Quotes stub = offloaded(client, last);
        last.publish(q -> q.last(5));
        assertTrue(isOffloaded(client, () -> assertEquals(55, stub.last(5))));
        for (int round = 0; round < 5; round++) {
            Await.until("the host to list the client", () -> askServer(side -> cutOff(
                    side.server(0).offloaded(Quotes.class, "last(long)").clients(), side.cutOff)));
            assertFalse(isOffloaded(client, () -> assertEquals(55, stub.last(5))));
            assertEquals(0, stub.last(6));
            untilOffloaded(client, () -> assertEquals(55, stub.last(5)));
        }
    }

    /** Cuts off all clients; returns false while none of them has called since it was connected again. */
    private static boolean cutOff(List<HostedClient> clients, Set<HostedClient> before) {
        if (clients.stream().noneMatch(client -> client.executed() > 0 && !before.contains(client))) {
            return false;
        }
        clients.forEach(HostedClient::cutOff);
        before.addAll(clients);
        return true;
    }

    @Test
    void aClientBeyondItsRateMakesOrdinaryCallsAndIsHeldToTheRate() {
        long rate = 200; // a slow machine makes 100 calls a second, of some ten WQEs
        Offered last = offer("last(long)", settings -> settings.rate(rate, 100));
        put(5L, 55L);
        last.publish(q -> q.last(5));
        RpcClient client = connect(server);
        Quotes stub = client.stub(Quotes.class);
        untilOffloaded(client, () -> assertEquals(55, stub.last(5)));
        Await.until("the host to list the client, which it may serve before", () -> last.clients() == 1);
        long startNs = System.nanoTime();
        long executed = last.ask(there -> there.clients().get(0).executed());
        long offloaded = client.offloadedCalls();
        long calls = 0;
        long limitNs = Await.BOUND_NS;
        for (long ns = 0; ns < 500_000_000L || client.offloadedCalls() - offloaded == calls && ns < limitNs;
                ns = System.nanoTime() - startNs) {
            assertEquals(55, stub.last(5));
            calls++;
        }
        double seconds = (System.nanoTime() - startNs) * 1e-9;
        long ran = last.ask(there -> there.clients().get(0).executed()) - executed;
        long found = client.offloadedCalls() - offloaded;
        System.out.println("calls=" + calls + " by program=" + found + " WQEs=" + ran + " limit=" + rate * seconds);
        assertTrue(ran <= rate * seconds + 200, "WQEs=" + ran);
        assertTrue(found > 0 && found < calls, "by program=" + found + " calls=" + calls);
    }

    /** Returns how many calls each of some threads makes, by the hundred; fewer where each costs system calls. */
    protected int callsOfThread() {
        return 20_000;
    }

    @Test
    void moreThreadsThanConnectionsAllGetTheirAnswers() {
        Offered last = offer("last(long)");
        RpcClient client = connect(server, builder -> builder.offloadConnections(2));
        for (long i = 0; i < 100; i++) {
            long id = i;
            put(i, i * 3);
            last.publish(q -> q.last(id));
        }
        Quotes stub = client.stub(Quotes.class);
        int calls = callsOfThread();
        List<CompletableFuture<Long>> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            threads.add(Await.start(() -> {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += stub.last(i % 100);
                }
                return sum;
            }));
        }
        threads.forEach(thread -> assertEquals(calls / 100 * 3 * 4950L, Await.join(thread)));
        assertTrue(client.offloadedCalls() > calls / 20, "by program=" + client.offloadedCalls());
        assertTrue(last.clients() <= 2);
    }

    @Test
    void aServerThatClosesTakesItsProgramsAlongAndAClientThatClosesFails() {
        Offered last = offer("last(long)");
        last.publish(q -> q.last(5));
        RpcClient first = connect(server, PATIENT);
        Quotes closed = offloaded(first, last);
        RpcClient second = connect(server, PATIENT);
        Quotes left = offloaded(second, last);
        last.publish(q -> q.last(5));
        first.close();
        for (int i = 0; i < 3; i++) {
            failsWith(Status.UNAVAILABLE, () -> closed.last(5));
        }
        assertEquals(0, left.last(5));
        server.close();
        failsWith(Status.UNAVAILABLE, () -> left.last(5));
        assertThrows(IllegalStateException.class, () -> offer("quote"));
    }

    @Test
    void whatIsOfferedLaterIsTakenByStubsToCome() {
        RpcClient client = connect(server, PATIENT);
        Quotes early = client.stub(Quotes.class);
        assertEquals(0, early.last(1));
        Offered last = offer("last(long)");
        last.publish(q -> q.last(1));
        Quotes late = client.stub(Quotes.class);
        untilOffloaded(client, () -> assertEquals(0, late.last(1)));
        assertFalse(isOffloaded(client, () -> assertEquals(0, early.last(1))));
        assertNull(late.name("nobody"));
    }
}
