package org.jvrpc.testkit.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testkit.Orders;
import org.jvrpc.testkit.Orders.NoSuchOrderException;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.OrdersAsync;
import org.jvrpc.testkit.OrdersInMemory;
import org.jvrpc.testkit.script.Args;
import org.jvrpc.testkit.script.Script;

/** Services on simulated hosts. */
class SimulatedNetworkTest {

    private static final Order ORDER = new Order(7, "ABC", 3);
    private static final Duration DELAY = Duration.ofMillis(10);
    private static final int CALLS = 100;

    private static SimulatedNetwork two(SimulatedNetwork.Builder builder) {
        return builder.start().serve(1, Orders.class, new OrdersInMemory());
    }

    private static SimulatedNetwork late() {
        return two(SimulatedNetwork.hosts(2).delay(DELAY));
    }

    @Test
    void callsTakeTheTimeOfTheirLinksAndNoOther() throws NoSuchOrderException {
        SimulatedNetwork network = late();
        Orders orders = network.client(0).stub(1, Orders.class);
        long realNs = System.nanoTime();
        Duration before = network.now();
        for (int i = 0; i < CALLS; i++) {
            assertEquals(i, orders.place(new Order(i, "ABC", 3)));
        }
        long eachNs = network.now().minus(before).toNanos() / CALLS;
        assertTrue(eachNs >= 2 * DELAY.toNanos() && eachNs < 2 * DELAY.toNanos() + 20_000, () -> "ns=" + eachNs);
        assertTrue(System.nanoTime() - realNs < CALLS * DELAY.toNanos() * 20, "time was real");
        assertEquals(ORDER, orders.find(7));
        assertEquals(100, assertThrows(NoSuchOrderException.class, () -> orders.find(100)).id());
        assertNull(orders.note(1));
        assertEquals(List.of(2L), orders.ids(new long[] {-2, 2}));
        assertEquals(0, network.lost());
    }

    @Test
    void aSlowLinkTakesItsTimeForEachByte() {
        SimulatedNetwork network = two(SimulatedNetwork.hosts(2).bandwidth(10_000_000));
        Orders orders = network.client(0).stub(1, Orders.class);
        orders.note(0);
        Duration before = network.now();
        orders.ids(new long[12_500]); // 100,000 bytes, 0.8 million bits, over 10 Mb/s
        long tookNs = network.now().minus(before).toNanos();
        assertTrue(tookNs >= 80_000_000 && tookNs < 100_000_000, () -> "ns=" + tookNs);
    }

    @Test
    void whatIsLostIsSentAgainAndEachCallRunsOnce() {
        for (long seed = 1; seed <= 20; seed++) {
            SimulatedNetwork network = SimulatedNetwork.hosts(2).loss(0.1).seed(seed).start();
            Script<Orders> script = new Script<>(Orders.class, null);
            script.when(o -> o.note(Args.anyLong())).answerWith(given -> "note " + given.get(0));
            network.serve(1, Orders.class, script.implementation());
            Orders orders = network.client(0).stub(1, Orders.class);
            for (long i = 0; i < CALLS; i++) {
                assertEquals("note " + i, orders.note(i), "seed=" + seed);
            }
            assertEquals(CALLS, script.calls().size(), "seed=" + seed);
            assertTrue(network.lost() > 0 && network.resent() > 0, "seed=" + seed);
        }
    }

    @Test
    void theSameSeedGivesTheSamePackets() {
        assertEquals(trace(5), trace(5));
        assertNotEquals(trace(5), trace(6));
    }

    private static String trace(long seed) {
        SimulatedNetwork network = two(SimulatedNetwork.hosts(2).loss(0.05).seed(seed));
        Orders orders = network.client(0).stub(1, Orders.class);
        for (int i = 0; i < CALLS; i++) {
            orders.place(ORDER);
        }
        return network.now() + " " + Long.toHexString(network.trace()) + " " + network.lost();
    }

    @Test
    void deadlinesAreOfVirtualTime() {
        SimulatedNetwork network = late();
        Orders hasty = network.client(0).stub(1, Orders.class, CallOptions.DEFAULT.withDeadlineAfter(DELAY));
        Duration before = network.now();
        RpcException failure = assertThrows(RpcException.class, () -> hasty.note(1));
        assertEquals(Status.DEADLINE_EXCEEDED, failure.status());
        assertEquals(DELAY, network.now().minus(before));
        assertEquals(7, network.client(0).stub(1, Orders.class).place(ORDER));
    }

    @Test
    void aHostThatIsCutOffIsUnavailableAndComesAgain() {
        SimulatedNetwork network = two(SimulatedNetwork.hosts(3));
        Orders orders = network.client(0).stub(1, Orders.class);
        orders.place(ORDER);
        network.loses(1, 1);
        assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, () -> orders.place(ORDER)).status());
        network.loses(1, 0);
        assertEquals(7, orders.place(ORDER));
    }

    @Test
    void asynchronousCallsGoTogether() throws Exception {
        SimulatedNetwork network = late();
        OrdersAsync async = network.client(0).asyncStub(1, Orders.class, OrdersAsync.class);
        Duration before = network.now();
        CompletableFuture<Long> first = async.place(ORDER);
        CompletableFuture<Long> second = async.place(new Order(8, "X", 1));
        assertThrows(TimeoutException.class, () -> first.get(1, TimeUnit.MILLISECONDS));
        assertFalse(second.isDone());
        assertEquals(15, first.thenCombine(second, Long::sum).get());
        assertTrue(network.now().minus(before).compareTo(DELAY.multipliedBy(3)) < 0, () -> "at " + network.now());
        ExecutionException failed = assertThrows(ExecutionException.class, () -> async.find(9).get());
        assertEquals(9, ((NoSuchOrderException) failed.getCause()).id());
        assertEquals(7, network.client(0).stub(1, Orders.class).placeLater(ORDER).join());
    }

    @Test
    void oneWayCallsArriveWhenTimePasses() {
        SimulatedNetwork network = SimulatedNetwork.hosts(2).delay(DELAY).start();
        Script<Orders> script = new Script<>(Orders.class, new OrdersInMemory());
        network.serve(1, Orders.class, script.implementation());
        network.client(0).stub(1, Orders.class).tick(1, 2);
        assertEquals(0, script.calls().size());
        network.run(DELAY.multipliedBy(2));
        script.verify(1, o -> o.tick(1, 2));
    }

    @Test
    void aHandlerCallsAnotherHostAndABusyHostHasAQueue() {
        SimulatedNetwork network = SimulatedNetwork.hosts(3).delay(DELAY).start();
        network.serve(2, Orders.class, new OrdersInMemory(), Duration.ofSeconds(1));
        Orders behind = network.client(1).stub(2, Orders.class);
        Script<Orders> front = new Script<>(Orders.class, null);
        front.when(o -> o.place(Args.any())).answerWith(given -> behind.place((Order) given.get(0)));
        network.serve(1, Orders.class, front.implementation());
        Duration before = network.now();
        assertEquals(7, network.client(0).stub(1, Orders.class).place(ORDER));
        Duration took = network.now().minus(before);
        assertTrue(took.compareTo(Duration.ofMillis(1040)) >= 0 && took.compareTo(Duration.ofMillis(1041)) < 0,
                took::toString);
        OrdersAsync async = network.client(0).asyncStub(2, Orders.class, OrdersAsync.class);
        CompletableFuture<Long> first = async.place(ORDER);
        async.place(ORDER).join();
        assertTrue(first.isDone());
        assertTrue(network.now().minus(before).compareTo(Duration.ofMillis(3060)) >= 0, () -> "at " + network.now());
    }

    @Test
    void whatIsNotSimulatedIsRefused() {
        SimulatedNetwork network = late();
        Orders orders = network.client(0).stub(1, Orders.class);
        assertEquals(Status.UNIMPLEMENTED, assertThrows(RpcException.class, () -> orders.all("x")).status());
        assertEquals(Status.UNIMPLEMENTED,
                assertThrows(RpcException.class, () -> network.client(1).stub(0, Orders.class)).status());
        assertThrows(IllegalArgumentException.class, () -> network.client(1).stub(1, Orders.class));
        assertThrows(IllegalArgumentException.class, () -> network.client(2));
        assertThrows(IllegalArgumentException.class, () -> network.loses(0, 1.1));
        assertThrows(IllegalArgumentException.class, () -> SimulatedNetwork.hosts(1));
        ExecutionException elsewhere = assertThrows(ExecutionException.class,
                () -> CompletableFuture.supplyAsync(() -> orders.note(1)).get(60, TimeUnit.SECONDS));
        assertTrue(elsewhere.getMessage().contains("is for the thread that made it"), elsewhere::getMessage);
    }
}
