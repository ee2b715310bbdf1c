package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesService;

/** A call that a program answers, and what becomes of one that it does not. */
class OffloadedCallTest {

    private static final long LOOK_NS = 1_000_000;
    private static final int ANSWER_BYTES = 64;
    private static final int MOST_ARGUMENT_BYTES = ANSWER_BYTES - 32;
    private static final List<String> WAS_ORDINARY = List.of("begin last", "invoke", "close");

    private final OffloadRig rig = new OffloadRig();
    private MethodPublisher<Quotes> last;
    private OffloadedCall call;

    @AfterEach
    void close() {
        rig.close();
    }

    /** Has a connection made to the program of {@link Quotes#last}; returns a stub that has it. */
    private Quotes connected() {
        last = rig.offer("last(long)", new OffloadSettings().capacity(3).answerBytes(ANSWER_BYTES));
        call = new OffloadedCall(rig.lookups(last, QuotesService.LAST_LONG, ANSWER_BYTES));
        call.join();
        return rig.stub(call);
    }

    private void put(long instrument, long answer) {
        rig.quotes.last.put(instrument, answer);
        last.publish(q -> q.last(instrument));
    }

    /** Writes so many bytes of arguments and makes the call; returns its answer. */
    private long call(int argumentBytes) {
        assertTrue(call.tryClaim());
        call.begin(rig.ordinary, QuotesService.LAST_LONG);
        for (int i = 0; i < argumentBytes; i++) {
            call.arguments().writeByte((byte) i);
        }
        WireReader in = call.invoke();
        long answer = in.readLong();
        call.close();
        return answer;
    }

    // ---- answers

    @Test
    void aPublishedAnswerIsFoundByOneLookupAndNothingElse() {
        Quotes stub = connected();
        put(5, 55);
        put(6, 66);
        assertEquals(55, stub.last(5));
        assertEquals(66, stub.last(6));
        assertEquals(55, stub.last(5));
        assertEquals(3, rig.client.lookups);
        assertEquals(3, call.answered());
        assertEquals(List.of(), rig.ordinary.did());
        assertEquals(1, rig.client.reads, "where the table is");
    }

    @Test
    void whatIsNotPublishedIsAnOrdinaryCallWithTheSameArguments() {
        Quotes stub = connected();
        rig.ordinary.answer = 77;
        assertEquals(77, stub.last(0x0102030405060708L));
        assertEquals(1, rig.client.lookups);
        assertEquals(0, call.answered());
        assertEquals(WAS_ORDINARY, rig.ordinary.did());
        assertArrayEquals(new byte[] {8, 7, 6, 5, 4, 3, 2, 1}, rig.ordinary.arguments(8));
        put(5, 55);
        assertEquals(55, stub.last(5));
        assertEquals(List.of(), rig.ordinary.did(), "the call before has ended");
    }

    @Test
    void anAnswerMayLieInEitherBucketOfItsArguments() {
        Quotes stub = connected();
        for (long instrument = 0; instrument < 60; instrument++) {
            put(instrument, instrument + 1000);
            long other = instrument + 1;
            put(other, other + 1000);
            put(instrument + 2, instrument + 1002);
            for (long asked = instrument; asked < instrument + 3; asked++) {
                assertEquals(asked + 1000, stub.last(asked));
            }
            last.clear();
        }
        assertEquals(List.of(), rig.ordinary.did());
    }

    @Test
    void whatWasThrownIsThatOfTheAnswer() {
        connected();
        MethodPublisher<Quotes> quote = rig.offer("quote");
        OffloadedCall quoting = new OffloadedCall(rig.lookups(quote, QuotesService.QUOTE, 512));
        quoting.join();
        Quotes stub = rig.stub(quoting);
        quote.publish(q -> q.quote(-7));
        quote.publish(q -> q.quote(8));
        for (int i = 0; i < 2; i++) {
            assertEquals("instrument=-7", assertThrows(Quotes.Unknown.class, () -> stub.quote(-7)).getMessage());
            assertEquals(1, quoting.thrown());
            assertEquals("venue of 8", assertNoThrow(stub));
            assertEquals(0, quoting.thrown());
        }
        rig.ordinary.thrown = 3;
        assertEquals(0, call(8));
        assertEquals(3, call.thrown());
    }

    private static String assertNoThrow(Quotes stub) {
        try {
            return stub.quote(8).venue();
        } catch (Quotes.Unknown e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void argumentsLongerThanAnyThatArePublishedAskNoProgram() {
        connected();
        call(MOST_ARGUMENT_BYTES);
        assertEquals(1, rig.client.lookups);
        for (int longer : new int[] {MOST_ARGUMENT_BYTES + 1, 3 * MOST_ARGUMENT_BYTES, 1000}) {
            rig.ordinary.answer = longer;
            assertEquals(longer, call(longer));
            assertEquals(1, rig.client.lookups);
            byte[] expected = new byte[longer];
            for (int i = 0; i < longer; i++) {
                expected[i] = (byte) i;
            }
            assertEquals(longer, rig.ordinary.written.length());
            assertArrayEquals(expected, rig.ordinary.arguments(longer));
        }
        assertEquals(1000, call(0));
        assertEquals(2, rig.client.lookups);
    }

    @Test
    void theSameConnectionCallsSeveralServicesAndMethods() {
        Quotes stub = connected();
        stub.last(1);
        assertEquals("begin last", rig.ordinary.did().get(0));
        OffloadRig.Ordinary other = new OffloadRig.Ordinary();
        other.answer = 99;
        assertTrue(call.tryClaim());
        call.begin(other, QuotesService.LAST_LONG);
        call.arguments().writeLong(2);
        assertEquals(99, call.invoke().readLong());
        call.close();
        assertEquals(WAS_ORDINARY, other.did());
        assertTrue(call.tryClaim());
        call.begin(other, QuotesService.QUOTE);
        call.arguments().writeLong(3);
        call.invoke();
        call.close();
        assertEquals("begin quote", other.did().get(0), "of the same service");
        assertEquals(List.of(), rig.ordinary.did());
    }

    // ---- programs that do not answer

    @Test
    void aLookupThatIsNotAnsweredInTimeLeavesTheConnectionAsItIs() {
        rig.settings.offloadWait(Duration.ofNanos(1));
        Quotes stub = connected();
        put(5, 55);
        rig.client.holdsLookups = true;
        rig.ordinary.answer = 1;
        assertEquals(1, stub.last(5));
        assertEquals(1, rig.client.lookups);
        assertEquals(WAS_ORDINARY, rig.ordinary.did());
        rig.time.nowNs += 60_000_000_000L;
        assertFalse(call.tryJoin());
        assertTrue(call.tryClaim());
    }

    @Test
    void aConnectionThatIsBrokenIsNotClaimedAgain() {
        Quotes stub = connected();
        put(5, 55);
        rig.offloads.close();
        rig.ordinary.answer = 1;
        assertEquals(1, stub.last(5));
        assertEquals(WAS_ORDINARY, rig.ordinary.did());
        assertFalse(call.tryClaim());
        rig.time.nowNs += 60_000_000_000L;
        assertTrue(call.tryJoin());
        assertFalse(call.tryClaim());
    }

    // ---- calls of other kinds, and those that end early

    @Test
    void anAsynchronousCallIsAnOrdinaryOneThatLeavesTheConnection() {
        connected();
        rig.ordinary.future = new CompletableFuture<>();
        assertTrue(call.tryClaim());
        call.begin(rig.ordinary, QuotesService.LAST_LONG);
        call.arguments().writeLong(5);
        assertSame(rig.ordinary.future, call.invokeAsync((in, thrown) -> in.readLong()));
        assertEquals(0, rig.client.lookups);
        assertEquals(List.of("begin last", "invokeAsync"), rig.ordinary.did());
        assertArrayEquals(new byte[] {5, 0, 0, 0, 0, 0, 0, 0}, rig.ordinary.arguments(8));
        put(5, 55);
        assertEquals(55, rig.stub(call).last(5));
        assertEquals(List.of(), rig.ordinary.did(), "the asynchronous call is not this one's to close");
    }

    @Test
    void anOrdinaryCallThatCannotBeginLeavesTheConnection() {
        connected();
        rig.ordinary.refusal = new RpcException(Status.UNAVAILABLE, "planted");
        assertTrue(call.tryClaim());
        call.begin(rig.ordinary, QuotesService.LAST_LONG);
        assertSame(rig.ordinary.refusal, assertThrows(RpcException.class,
                () -> call.invokeAsync((in, thrown) -> in.readLong())));
        Quotes stub = rig.stub(call);
        assertSame(rig.ordinary.refusal, assertThrows(RpcException.class, () -> stub.last(5)));
        assertTrue(call.tryClaim());
        assertEquals(List.of("begin last", "begin last"), rig.ordinary.did());
    }

    @Test
    void anOrdinaryCallThatDoesNotTakeTheArgumentsIsAbandoned() {
        Quotes stub = connected();
        rig.ordinary.room = 7;
        RpcException e = assertThrows(RpcException.class, () -> stub.last(5));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals(List.of("begin last", "abandon"), rig.ordinary.did());
        assertTrue(call.tryClaim());
    }

    @Test
    void aMessageWithoutAnAnswerIsRefused() {
        connected();
        assertTrue(call.tryClaim());
        assertFalse(call.tryClaim());
        call.begin(rig.ordinary, QuotesService.LAST_LONG);
        RpcException e = assertThrows(RpcException.class, call::send);
        assertEquals(Status.INTERNAL, e.status());
        assertEquals(QuotesService.LAST_LONG.fullName() + " is not one-way", e.getMessage());
        assertTrue(call.tryClaim());
    }

    @Test
    void argumentsThatCannotBeWrittenLeaveTheConnection() {
        connected();
        assertTrue(call.tryClaim());
        call.begin(rig.ordinary, QuotesService.LAST_LONG);
        RuntimeException planted = new IllegalStateException("planted");
        assertSame(planted, call.abandon(planted));
        assertTrue(call.tryClaim());
        RpcException checked = (RpcException) call.abandon(new IOException("planted"));
        assertEquals(Status.INTERNAL, checked.status());
        assertTrue(checked.getMessage().startsWith("arguments of " + QuotesService.LAST_LONG.fullName()));
    }

    // ---- when the table is looked for

    @Test
    void whereTheTableIsIsLookedForAMillisecondAfterTheLastTimeAtMost() {
        Quotes stub = connected();
        rig.time.nowNs += 10 * LOOK_NS;
        stub.last(5);
        assertEquals(1, rig.client.reads, "nothing was missed before");
        stub.last(5);
        assertEquals(2, rig.client.reads);
        rig.time.nowNs += LOOK_NS;
        stub.last(5);
        assertEquals(2, rig.client.reads);
        rig.time.nowNs++;
        put(5, 55);
        assertEquals(55, stub.last(5));
        assertEquals(3, rig.client.reads);
        rig.time.nowNs += 10 * LOOK_NS;
        assertEquals(55, stub.last(5));
        assertEquals(3, rig.client.reads, "all was found since");
    }

    @Test
    void aTableThatCannotBeLookedForIsThatOfABrokenConnection() {
        Quotes stub = connected();
        put(5, 55);
        stub.last(6);
        rig.ordinary.did();
        rig.time.nowNs += 2 * LOOK_NS;
        rig.client.refusesReads = true;
        rig.ordinary.answer = 1;
        assertEquals(1, stub.last(5));
        assertEquals(WAS_ORDINARY, rig.ordinary.did());
        assertEquals(1, rig.client.lookups, "none of the second call");
        assertFalse(call.tryClaim());
    }
}
