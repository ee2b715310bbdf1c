package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.testkit.Orders.NoSuchOrderException;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.script.Args;
import org.jvrpc.testkit.script.Script;

/** Answers without an implementation. */
class ScriptTest {

    private static final Order ORDER = new Order(7, "ABC", 3);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.scripting(Orders.class);

    @JvrpcStub
    private Orders orders;
    @JvrpcStub
    private Script<Orders> script;

    @Test
    void answersAreThoseOfTheArguments() throws NoSuchOrderException {
        rpc.script(Orders.class).when(o -> o.find(7)).answer(ORDER);
        script.when(o -> o.find(8)).answer(new Order(8, "X", 1));
        script.when(o -> o.ids(new long[] {1, 2})).answer(List.of(2L));
        assertEquals(ORDER, orders.find(7));
        assertEquals("X", orders.symbolOf(8));
        assertEquals(List.of(2L), orders.ids(new long[] {1, 2}));
    }

    @Test
    void answersComeInOrderAndTheLastOneStays() throws NoSuchOrderException {
        script.when(o -> o.find(7)).answer(ORDER).times(2).fail(Status.UNAVAILABLE, "gone")
                .fail(new NoSuchOrderException(7));
        assertEquals(ORDER, orders.find(7));
        assertEquals(ORDER, orders.find(7));
        assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, () -> orders.find(7)).status());
        for (int i = 0; i < 3; i++) {
            assertEquals(7, assertThrows(NoSuchOrderException.class, () -> orders.find(7)).id());
        }
    }

    @Test
    void laterRulesGoBeforeEarlierOnesUntilTheyAreSpent() {
        script.when(o -> o.note(Args.anyLong())).answer("any");
        script.when(o -> o.note(Args.longThat(id -> id > 5))).answer("great").times(1);
        script.when(o -> o.note(9)).answer(null);
        assertNull(orders.note(9));
        assertEquals("great", orders.note(6));
        assertEquals("any", orders.note(6));
        assertEquals("any", orders.note(1));
    }

    @Test
    void argumentsAreMetByConditions() throws NoSuchOrderException {
        script.when(o -> o.place(Args.that(order -> order.lots() > 2))).answer(1L);
        script.when(o -> o.find(0)).matching(given -> (long) given.get(0) < 0)
                .answerWith(given -> new Order((long) given.get(0), "by", 1));
        assertEquals(1, orders.place(ORDER));
        assertEquals(-3, orders.find(-3).id());
    }

    @Test
    void asynchronousAndOneWayCallsAreScripted() throws Exception {
        script.when(o -> o.placeLater(ORDER)).answer(7L).fail(Status.ABORTED, "lost");
        script.when(o -> o.tick(Args.anyLong(), Args.anyDouble())).answer(null);
        assertEquals(7, orders.placeLater(ORDER).get(60, TimeUnit.SECONDS));
        ExecutionException failed = assertThrows(ExecutionException.class,
                () -> orders.placeLater(ORDER).get(60, TimeUnit.SECONDS));
        assertEquals(Status.ABORTED, ((RpcException) failed.getCause()).status());
        orders.tick(1, 2.5);
        orders.tick(1, 3.5);
        script.await(2, o -> o.tick(Args.eq(1L), Args.anyDouble()), LIMIT);
        script.verify(1, o -> o.tick(1, 3.5));
    }

    @Test
    void streamsAreScriptedBothWays() {
        script.when(o -> o.all("ABC")).answerStream(ORDER, new Order(8, "ABC", 1));
        script.when(o -> o.all("FAIL")).answerStream(new RpcException(Status.DATA_LOSS, "torn"), ORDER);
        script.when(o -> o.sum(Args.any())).answerWith(given -> {
            try (StreamReader<Long> reader = Streams.reader(streamOf(given.get(0)))) {
                return reader.next() * 100;
            }
        });
        assertEquals(List.of(7L, 8L), ids("ABC"));
        assertEquals(Status.DATA_LOSS, assertThrows(RpcException.class, () -> ids("FAIL")).status());
        assertEquals(300, orders.sum(Streams.writing(writer -> writer.write(3L))));
    }

    @SuppressWarnings("unchecked") // so the method has it
    private static java.util.concurrent.Flow.Publisher<Long> streamOf(Object given) {
        return (java.util.concurrent.Flow.Publisher<Long>) given;
    }

    private List<Long> ids(String symbol) {
        List<Long> ids = new ArrayList<>();
        try (StreamReader<Order> reader = Streams.reader(orders.all(symbol))) {
            while (reader.hasNext()) {
                ids.add(reader.next().id());
            }
        }
        return ids;
    }

    @Test
    void whatCameIsVerified() {
        script.when(o -> o.note(Args.anyLong())).answer("n");
        orders.note(1);
        orders.note(2);
        assertEquals("[note(1), note(2)]", script.calls().toString());
        assertEquals(1, script.count(o -> o.note(2)));
        AssertionError wrong = assertThrows(AssertionError.class, () -> script.verify(2, o -> o.note(2)));
        assertTrue(wrong.getMessage().contains("expected=2 came=1; all that came: [note(1), note(2)]"),
                wrong::getMessage);
        AssertionError late = assertThrows(AssertionError.class,
                () -> script.await(1, o -> o.note(3), Duration.ofMillis(1)));
        assertTrue(late.getMessage().contains("waited PT0.001S for calls note(3)"), late::getMessage);
    }

    @Test
    void rulesThatCannotBeAreRefused() {
        assertRefused("place answers with java.lang.Long, not with java.lang.String no",
                () -> script.when(o -> o.place(ORDER)).answer("no"));
        assertRefused("place answers with java.lang.Long, not with null",
                () -> script.when(o -> o.place(ORDER)).answer(null));
        assertRefused("placeLater answers with java.lang.Long, not with java.lang.Integer 7",
                () -> script.when(o -> o.placeLater(ORDER)).answer(7));
        assertRefused("all arguments are given by Args, or none is: given=1",
                () -> script.when(o -> o.tick(Args.anyLong(), 1)));
        assertRefused("no method of ", () -> script.when(o -> { }));
        assertRefused("one call at a time", () -> script.when(o -> {
            o.note(1);
            o.note(2);
        }));
        assertRefused("the result of note is no stream", () -> script.when(o -> o.note(1)).answerStream("x"));
        assertRefused("all answers with " + Order.class.getName(), () -> script.when(o -> o.all("x")).answerStream(1));
        assertRefused("is not served", () -> rpc.script(Runnable.class));
    }

    private static void assertRefused(String expected, Runnable rule) {
        String message = assertThrows(IllegalArgumentException.class, rule::run).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
