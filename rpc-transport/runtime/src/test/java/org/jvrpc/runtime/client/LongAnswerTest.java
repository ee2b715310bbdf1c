package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.verbs.ClientDevice;

/** Long answers on their way in while others call, and calls that end before their answers are there. */
class LongAnswerTest {

    private static final int LONG = 3 << 20;
    private static final int SLOTS = 4;

    private final CallsImpl impl = new CallsImpl();
    private final RpcServer server =
            RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
    private final RpcClient client =
            RpcClient.builder(server.address()).slots(SLOTS).reconnect(false).connect();
    private final ClientTransport device = ClientDevice.open(server.address(), Environment.SYSTEM);
    private final Calls calls = client.stub(Calls.class);
    private StandInLink link;
    private CountedBodies bodies;

    /** Counts what is taken for requests and for answers, and given back. */
    private static final class CountedBodies implements Bodies {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger twice = new AtomicInteger();
        final CountDownLatch mayMake = new CountDownLatch(1);
        volatile boolean holdsMaking;
        private final Set<Body> out = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        private final Set<Body> fetched =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        private final Set<Body> sent =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        private final Bodies real;

        CountedBodies(Bodies real) {
            this.real = real;
        }

        private Body count(Body body) {
            if (body != null) {
                taken.incrementAndGet();
                fetched.add(body);
                out.add(body);
            }
            return body;
        }

        @Override
        public Body take(long bytes) {
            Body body = real.take(bytes);
            sent.add(body);
            return body;
        }

        @Override
        public Body takeForFetch(long bytes) {
            asked.incrementAndGet();
            if (holdsMaking) {
                Await.latch("leave to make memory", mayMake);
            }
            return count(real.takeForFetch(bytes));
        }

        @Override
        public Body reuseForFetch(long bytes) {
            return holdsMaking ? null : count(real.reuseForFetch(bytes));
        }

        @Override
        public void give(Body body) {
            sent.remove(body);
            if (fetched.contains(body) && !out.remove(body)) {
                twice.incrementAndGet();
            }
            real.give(body);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** Has calls go by a session whose link and bodies are the test's. */
    @BeforeEach
    void standIn() {
        Connected made = device.connect(
                Hello.request(Protocol.CALLS, SLOTS, 4096, 1 << 30), 10_000_000_000L);
        link = new StandInLink(made.link());
        bodies = new CountedBodies(made.bodies());
        ClientCore core = Cores.of(client);
        ClientSession session = new ClientSession(core, link, bodies, made.granted(), server.address());
        assertTrue(core.replace(core.session(), session));
        assertEquals(3, calls.add(1, 2));
    }

    @AfterEach
    void close() {
        bodies.mayMake.countDown();
        client.close();
        device.close();
        server.shutdownNow();
    }

    private CompletableFuture<byte[]> future(int length) {
        return client.asyncStub(Calls.class, CallsAsync.class).sized(length, 1);
    }

    private void othersCall() {
        assertEquals(300, Await.join(Await.start(() -> {
            int sum = 0;
            for (int i = 0; i < 100; i++) {
                sum += (int) calls.add(1, 2);
            }
            return sum;
        })));
    }

    private void awaitFetch() {
        Await.until("a fetch", () -> link.fetches.get() > 0);
    }

    /** All that was taken came back once, and the server heard of it so many times. */
    private void awaitGivenBack(int releases) {
        Await.until("memory to come back", () -> bodies.out.isEmpty());
        Await.until("releases", () -> link.releases.get() >= releases);
        assertEquals(releases, link.releases.get());
        assertEquals(0, bodies.twice.get(), "bodies given back twice");
        assertEquals(0, link.early.get(), "releases of memory that was being read");
        assertTrue(bodies.taken.get() > 0);
    }

    private static RpcException failure(CompletableFuture<?> call) {
        return assertInstanceOf(RpcException.class, Await.outcome(call));
    }

    // ---- answers that are read where they lie

    private static final int FAR = 100_000;

    /** Calls until an answer was read where it lies: that of a caller who fell asleep is fetched. */
    private void callFar(Runnable call) {
        int[] tries = {0};
        Await.until("an answer that is read where it lies", () -> {
            tries[0]++;
            link.nows.set(2);
            call.run();
            return link.done.get() > 0;
        });
        assertEquals(2, link.done.get());
        assertEquals(tries[0] - 1, link.releasedBefore, "releases before it was read");
        Await.until("releases", () -> link.releases.get() >= tries[0]);
        assertEquals(tries[0], link.releases.get());
        assertEquals(0, bodies.twice.get(), "bodies given back twice");
    }

    @Test
    void aCallerThatNobodyWaitsBehindReadsItsAnswerWhereItLies() {
        int[] before = {0};
        callFar(() -> {
            before[0] = bodies.taken.get();
            Bytes.assertSame(Bytes.of(FAR, 1), calls.sized(FAR, 1), "answer");
        });
        assertEquals(before[0], bodies.taken.get());
        Bytes.assertSame(Bytes.of(FAR, 2), calls.sized(FAR, 2), "the next, which is fetched");
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void anAnswerLandsInTheCallersBuffer() {
        callFar(() -> {
            ByteBuffer answer = ByteBuffer.allocateDirect(FAR + 10).position(10);
            calls.copy(ByteBuffer.wrap(Bytes.of(FAR, 3)), answer);
            byte[] bytes = new byte[FAR];
            answer.flip().position(10).get(bytes);
            Bytes.assertSame(Bytes.of(FAR, 3), bytes, "answer");
        });
    }

    @Test
    void anAnswerThatIsNoArrayIsBroughtAndGivesItsMemoryBack() {
        String text = "x".repeat(FAR);
        callFar(() -> assertEquals(text, calls.nullable(text)));
        assertTrue(bodies.taken.get() > 0);
        Await.until("memory to come back", () -> bodies.out.isEmpty());
    }

    @Test
    void anAnswerThatCannotBeReadAnyMoreIsNoneAndEndsItsSession() {
        CompletableFuture<Long> other = client.asyncStub(Calls.class, CallsAsync.class).hang(1);
        Await.until("a call that hangs", () -> impl.hanging.get() == 1);
        RpcException[] failure = {null};
        Await.until("an answer that cannot be read", () -> {
            link.nows.set(1);
            try {
                calls.sized(FAR, 1);
            } catch (RpcException e) {
                failure[0] = e;
            }
            return failure[0] != null || link.done.get() > 0;
        });
        assertEquals(Status.UNAVAILABLE, failure[0].status());
        assertTrue(failure[0].getMessage().contains("long answer cannot be read"), failure[0].getMessage());
        assertEquals(Status.UNAVAILABLE, failure(other).status());
        impl.openGate();
    }

    @Test
    void anAnswerWithAnEarlierCallsNumberEndsNoCall() {
        for (int earlier : new int[] {1, 2}) {
            assertEquals(earlier + 2, calls.add(earlier, 2)); // there is an earlier call
        }
        link.earlier = 1;
        RpcException e = assertThrows(RpcException.class, () -> calls.add(20, 22));
        assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("answer to no call"), e.getMessage());
    }

    @Test
    void othersCallWhileAnAnswerIsOnItsWay() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> one = Await.start(() -> calls.sized(LONG, 1));
        awaitFetch();
        othersCall();
        CompletableFuture<byte[]> two = future(LONG);
        othersCall();
        assertFalse(one.isDone() || two.isDone());
        link.holdsFetches = false;
        Bytes.assertSame(Bytes.of(LONG, 1), Await.join(one), "one");
        Bytes.assertSame(Bytes.of(LONG, 1), Await.join(two), "two");
        awaitGivenBack(2);
    }

    @Test
    void othersCallWhileMemoryIsMade() {
        bodies.holdsMaking = true;
        CompletableFuture<byte[]> call = Await.start(() -> calls.sized(LONG, 1));
        Await.until("memory to be made", () -> bodies.asked.get() > 0);
        othersCall();
        assertFalse(call.isDone());
        bodies.mayMake.countDown();
        Bytes.assertSame(Bytes.of(LONG, 1), Await.join(call), "answer");
        awaitGivenBack(1);
    }

    @Test
    void aShorterAnswerIsNotHeldUpByALongerOne() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> longer = future(16 << 20);
        CompletableFuture<byte[]> shorter = future(300_000);
        awaitFetch();
        othersCall(); // behind the second request, so its answer is there
        link.lets.set(8); // pieces of either, in turns
        assertEquals(300_000, Await.join(shorter).length);
        assertFalse(longer.isDone());
        link.holdsFetches = false;
        assertEquals(16 << 20, Await.join(longer).length);
        awaitGivenBack(2);
    }

    @Test
    void aCallThatIsCancelledWhileItsAnswerIsOnItsWayGivesAllBackOnce() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> call = future(LONG);
        awaitFetch();
        assertTrue(call.cancel(true));
        othersCall();
        link.holdsFetches = false;
        awaitGivenBack(1);
        assertEquals(1, link.fetches.get(), "pieces of an answer that nobody waits for");
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) { // its slot is free
            all.add(future(LONG));
        }
        all.forEach(next -> Bytes.assertSame(Bytes.of(LONG, 1), Await.join(next), "next"));
        awaitGivenBack(1 + SLOTS);
    }

    @Test
    void aCallWhoseTimeEndsWhileItsAnswerIsOnItsWayEndsThenAndGivesAllBackOnce() {
        link.holdsFetches = true;
        int tries = 0;
        for (int ms = 200; link.fetches.get() == 0; ms *= 2) { // an answer that comes later is not fetched
            Calls brief = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(ms)));
            RpcException e = assertThrows(RpcException.class, () -> brief.sized(LONG, 1));
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            tries++;
        }
        link.holdsFetches = false; // nobody calls any more: the event thread sees to it
        awaitGivenBack(tries);
        othersCall();
    }

    /** Its answer would say that the server has read it, but comes no more. */
    @Test
    void theRequestOfACallThatNobodyWaitsForGoesWithItsSession() {
        Calls brief = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(2)));
        try (RpcClient other = RpcClient.connect(server.address())) {
            CompletableFuture<Long> blocked = other.asyncStub(Calls.class, CallsAsync.class).hangLight(1);
            Await.until("the poller to be held up", () -> impl.hanging.get() == 1);
            RpcException e = assertThrows(RpcException.class, () -> brief.echo(new byte[LONG]));
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            assertEquals(1, bodies.sent.size());
            ClientCore core = Cores.of(client);
            Connected next = device.connect(
                    Hello.request(Protocol.CALLS, SLOTS, 4096, 1 << 30), 10_000_000_000L);
            assertTrue(core.replace(core.session(),
                    new ClientSession(core, next.link(), next.bodies(), next.granted(), server.address())));
            Await.until("its memory to come back", bodies.sent::isEmpty);
            impl.openGate();
            assertEquals(1L, Await.outcome(blocked));
        }
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void aCallThatIsCancelledWhileMemoryIsMadeGivesItBackOnce() {
        bodies.holdsMaking = true;
        CompletableFuture<byte[]> call = future(LONG);
        Await.until("memory to be made", () -> bodies.asked.get() > 0);
        assertTrue(call.cancel(true));
        othersCall();
        bodies.mayMake.countDown();
        Await.until("memory", () -> bodies.taken.get() == 1);
        awaitGivenBack(1);
        assertEquals(0, link.fetches.get());
    }

    @Test
    void aSessionThatIsLostEndsTheCallsWhoseAnswersAreOnTheirWay() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> one = Await.start(() -> calls.sized(LONG, 1));
        CompletableFuture<byte[]> two = future(LONG);
        awaitFetch();
        link.breakOff();
        assertEquals(Status.UNAVAILABLE, failure(one).status());
        assertEquals(Status.UNAVAILABLE, failure(two).status());
        awaitGivenBack(0);
    }

    @Test
    void aServerThatShutsDownStaysUntilItsLongAnswersAreFetched() throws InterruptedException {
        link.holdsFetches = true;
        CompletableFuture<byte[]> call = future(LONG);
        awaitFetch();
        server.shutdown();
        assertFalse(server.awaitTermination(Duration.ofMillis(100)), "it left with an answer that is being fetched");
        link.holdsFetches = false;
        Bytes.assertSame(Bytes.of(LONG, 1), Await.join(call), "answer");
        assertTrue(server.awaitTermination(Duration.ofSeconds(30)));
    }

    /** A client that was stopped while its server ended hears of the end first by a send that fails. */
    @Test
    void anAnswerThatIsHereOutlivesTheSendThatFindsTheSessionLost() {
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        CompletableFuture<Long> hangs = async.hang(1);
        Await.until("a call that hangs", () -> impl.hanging.get() == 1);
        link.holdsPolls = true;
        CompletableFuture<Long> answered = async.add(40, 2);
        try (RpcClient other = RpcClient.connect(server.address())) {
            Calls others = other.stub(Calls.class);
            Await.until("the answer to be sent", () -> { // light calls are answered in the order of their coming
                others.add(1, 2);
                return link.real().hasMore();
            });
        }
        assertFalse(answered.isDone());
        link.failsControls = true;
        assertTrue(hangs.cancel(true)); // which the server is to be told
        assertEquals(42L, Await.join(answered));
        impl.openGate();
    }

    @Test
    void aSessionThatIsLostWhileMemoryIsMadeGivesItBackOnce() {
        bodies.holdsMaking = true;
        CompletableFuture<byte[]> call = future(LONG);
        Await.until("memory to be made", () -> bodies.asked.get() > 0);
        link.breakOff();
        assertEquals(Status.UNAVAILABLE, failure(call).status());
        bodies.mayMake.countDown();
        Await.until("memory", () -> bodies.asked.get() == bodies.taken.get() || !client.isConnected());
        Await.until("memory to come back", () -> bodies.out.isEmpty());
        assertEquals(0, bodies.twice.get() + link.releases.get());
    }

    @Test
    void aClientThatClosesEndsTheCallsWhoseAnswersAreOnTheirWay() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> one = Await.start(() -> calls.sized(LONG, 1));
        CompletableFuture<byte[]> two = future(LONG);
        awaitFetch();
        client.close();
        assertEquals(Status.UNAVAILABLE, failure(one).status());
        assertEquals(Status.UNAVAILABLE, failure(two).status());
        awaitGivenBack(0);
    }

    @Test
    void aSecondAnswerToACallWhoseAnswerIsOnItsWayIsAProtocolError() {
        link.holdsFetches = true;
        CompletableFuture<byte[]> call = future(LONG);
        awaitFetch();
        link.repeats = true;
        assertEquals(Status.UNAVAILABLE, failure(call).status());
        awaitGivenBack(0);
    }
}
