package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.testing.Waits;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** What goes wrong as a test says. */
class FaultsTest {

    private static final Order ORDER = new Order(7, "ABC", 3);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int CALLS = 200;

    private final OrdersInMemory memory = new OrdersInMemory();
    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.builder().serve(memory).seed(42).build();

    @JvrpcStub
    private Orders orders;
    @JvrpcStub
    private OrdersAsync async;
    @JvrpcStub
    private Faults faults;
    @JvrpcStub
    private Script<Orders> script;

    private static Status statusOf(Runnable call) {
        return assertThrows(RpcException.class, call::run).status();
    }

    private static Status statusOf(CompletableFuture<?> call) {
        return ((RpcException) assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS)).getCause())
                .status();
    }

    private Orders shortLived() {
        return rpc.stub(Orders.class, CallOptions.DEFAULT.withDeadlineAfter(SHORT));
    }

    @Test
    void aStatusBefallsTheCallsThatWereChosenAndNoOthers() throws Exception {
        faults.on("place").nth(2).status(Status.RESOURCE_EXHAUSTED, "full");
        faults.on("org.jvrpc.testkit.Orders/note").first(1).status(Status.UNAVAILABLE, "away");
        faults.on("placeLater(").every(3).status(Status.INTERNAL, "never meant");
        assertEquals(7, orders.place(ORDER));
        RpcException failure = assertThrows(RpcException.class, () -> orders.place(ORDER));
        assertEquals(Status.RESOURCE_EXHAUSTED, failure.status());
        assertFalse(failure.mayHaveRun());
        assertEquals(7, orders.place(ORDER));
        assertEquals(Status.UNAVAILABLE, statusOf(() -> orders.note(1)));
        orders.note(1);
        assertEquals(7, orders.placeLater(ORDER).get(60, TimeUnit.SECONDS));
        script.verify(2, o -> o.place(ORDER));
        assertEquals(2, faults.struck());
    }

    @Test
    void aLostCallDoesNotRunAndALostAnswerDoes() {
        faults.on("place").nth(1).drop();
        faults.on("place").nth(2).dropAnswer();
        Orders hasty = shortLived();
        long startNs = System.nanoTime();
        assertEquals(Status.DEADLINE_EXCEEDED, statusOf(() -> hasty.place(ORDER)));
        assertTrue(System.nanoTime() - startNs >= SHORT.toNanos(), "it did not wait");
        script.verify(0, o -> o.place(ORDER));
        assertEquals(Status.DEADLINE_EXCEEDED, statusOf(() -> hasty.place(ORDER)));
        script.verify(1, o -> o.place(ORDER));
        assertEquals(7, orders.place(ORDER));
    }

    @Test
    void asynchronousCallsSufferAsWell() throws Exception {
        faults.on("place").nth(1).status(Status.ABORTED, "no");
        faults.on("place").nth(2).delay(SHORT);
        faults.on("note").nth(1).dropAnswer();
        assertEquals(Status.ABORTED, statusOf(async.place(ORDER)));
        long startNs = System.nanoTime();
        assertEquals(7, async.place(ORDER).get(60, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - startNs >= SHORT.toNanos(), "it was not late");
        assertThrows(java.util.concurrent.TimeoutException.class, () -> async.note(1).get(20, TimeUnit.MILLISECONDS));
        script.await(1, o -> o.note(1), Duration.ofSeconds(60));
    }

    @Test
    void aDelayHoldsUp() {
        faults.onAll().delay(SHORT);
        long startNs = System.nanoTime();
        orders.place(ORDER);
        assertTrue(System.nanoTime() - startNs >= SHORT.toNanos(), "it was not late");
    }

    @Test
    void oneWayCallsAreLost() {
        faults.on("tick").nth(1).drop();
        orders.tick(1, 1);
        orders.tick(2, 2);
        Waits.until("the second tick", () -> memory.ticks.get() == 1);
        script.verify(0, o -> o.tick(1, 1));
    }

    @Test
    void streamsFail() {
        orders.place(ORDER);
        faults.on("all").nth(1).status(Status.PERMISSION_DENIED, "not you");
        faults.on("sum").nth(1).killSessions();
        assertEquals(Status.PERMISSION_DENIED, statusOf(() -> take()));
        assertEquals(List.of(ORDER), take());
        assertEquals(Status.UNAVAILABLE, statusOf(() -> orders.sum(Streams.writing(writer -> writer.write(1L)))));
        assertEquals(3, again(() -> orders.sum(Streams.writing(writer -> writer.write(3L)))));
    }

    @Test
    void streamsWhoseAnswersAreToSufferAreNotMade() {
        faults.on("sum").nth(1).answerStatus(Status.ABORTED, "no");
        faults.on("sum").nth(2).dropAnswer();
        faults.on("all").nth(1).answerStatus(Status.DATA_LOSS, "none");
        RpcException failure = assertThrows(RpcException.class,
                () -> orders.sum(Streams.writing(writer -> writer.write(1L))));
        assertEquals(Status.ABORTED, failure.status());
        assertFalse(failure.mayHaveRun());
        Orders hasty = shortLived();
        assertEquals(Status.DEADLINE_EXCEEDED, statusOf(() -> hasty.sum(Streams.writing(writer -> writer.write(2L)))));
        failure = assertThrows(RpcException.class, this::take);
        assertEquals(Status.DATA_LOSS, failure.status());
        assertFalse(((RpcException) failure.getCause()).mayHaveRun(), "what the stream ended with");
        assertEquals(3, orders.sum(Streams.writing(writer -> writer.write(3L))));
        assertEquals(1, script.calls().size(), () -> script.calls().toString());
    }

    @Test
    void aFailureOfTheHandlerIsAnAnswerThatIsReplaced() {
        script.when(o -> o.place(ORDER)).fail(Status.INTERNAL, "of the handler");
        faults.on("place").answerStatus(Status.ABORTED, "on its way back");
        assertEquals(Status.ABORTED, statusOf(() -> orders.place(ORDER)));
        assertEquals(Status.ABORTED, statusOf(async.place(ORDER)));
        script.verify(2, o -> o.place(ORDER));
        faults.clear();
        faults.on("place").dropAnswer();
        Orders hasty = shortLived();
        assertEquals(Status.DEADLINE_EXCEEDED, statusOf(() -> hasty.place(ORDER)));
    }

    private List<Order> take() {
        List<Order> all = new ArrayList<>();
        try (StreamReader<Order> reader = Streams.reader(orders.all("ABC"))) {
            while (reader.hasNext()) {
                all.add(reader.next());
            }
        }
        return all;
    }

    /** Calls until the client is connected again. */
    private static <T> T again(Supplier<T> call) {
        List<T> answers = new ArrayList<>();
        Waits.until("a connection", () -> {
            try {
                answers.add(call.get());
                return true;
            } catch (RpcException e) {
                return false;
            }
        });
        return answers.get(0);
    }

    @Test
    void sessionsAreKilledAndComeAgain() {
        orders.place(ORDER);
        faults.on("place").first(1).killSessions();
        assertEquals(Status.UNAVAILABLE, statusOf(() -> orders.place(ORDER)));
        assertEquals(7, again(() -> orders.place(ORDER)));
        rpc.killSessions();
        assertEquals(7, again(() -> orders.place(ORDER)));
    }

    @Test
    void serversAreKilledAndStartAgain() {
        faults.on("place").first(1).restartServer();
        assertEquals(Status.UNAVAILABLE, statusOf(() -> orders.place(ORDER)));
        assertEquals(7, again(() -> orders.place(ORDER)));
        rpc.killServer();
        assertEquals(Status.UNAVAILABLE, statusOf(() -> {
            Waits.until("the loss", () -> !rpc.client().isConnected());
            orders.place(ORDER);
        }));
        rpc.restartServer();
        assertEquals(7, again(() -> orders.place(ORDER)));
    }

    @Test
    void theSameSeedChoosesTheSameCalls() {
        String chosen = chosen(1);
        assertEquals(chosen, chosen(1));
        assertNotEquals(chosen, chosen(2));
        long failed = chosen.chars().filter(c -> c == 'x').count();
        assertTrue(failed > CALLS / 10 && failed < CALLS / 2, chosen);
        assertEquals(42, faults.seed());
    }

    private String chosen(long seed) {
        Faults own = new Faults(seed, null);
        own.on("note").probability(0.25).status(Status.UNAVAILABLE, "by chance");
        Orders stub = rpc.client().stub(own.around(ServiceDescriptor.of(Orders.class)), CallOptions.DEFAULT);
        StringBuilder chosen = new StringBuilder();
        for (int i = 0; i < CALLS; i++) {
            try {
                stub.note(i);
                chosen.append('.');
            } catch (RpcException e) {
                chosen.append('x');
            }
        }
        return chosen.toString();
    }

    @Test
    void choicesThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> faults.onAll().probability(1.5));
        assertThrows(IllegalArgumentException.class, () -> faults.onAll().nth(0));
        assertThrows(IllegalArgumentException.class, () -> faults.onAll().delay(Duration.ofMillis(-1)));
    }
}
