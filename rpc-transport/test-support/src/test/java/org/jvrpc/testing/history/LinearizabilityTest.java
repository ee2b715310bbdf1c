package org.jvrpc.testing.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.jvrpc.testing.history.Register.ABSENT;
import static org.jvrpc.testing.history.Register.DONE;
import static org.jvrpc.testing.history.Register.REFUSED;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.history.Linearizability.Outcome;
import org.jvrpc.testing.history.Linearizability.Verdict;

class LinearizabilityTest {

    private static final Register.Get GET = new Register.Get();
    private static final Register.Delete DELETE = new Register.Delete();

    private final List<Operation> history = new ArrayList<>();

    private LinearizabilityTest on(String key, long start, long end, Object call, Object answer) {
        history.add(new Operation("p" + history.size(), key, call, answer, start, end));
        return this;
    }

    private LinearizabilityTest op(long start, long end, Object call, Object answer) {
        return on("x", start, end, call, answer);
    }

    private LinearizabilityTest pending(long start, Object call) {
        return op(start, Operation.NEVER, call, null);
    }

    private static Register.Set set(long value) {
        return new Register.Set(value);
    }

    private void is(Outcome expected) {
        is(expected, Register.empty());
    }

    private Verdict is(Outcome expected, Model<?> model) {
        Verdict verdict = Linearizability.judge(model, history, Linearizability.MOST);
        assertEquals(expected, verdict.outcome(), verdict::explanation);
        return verdict;
    }

    @Test
    void nothingIsLinearizable() {
        is(Outcome.LINEARIZABLE);
    }

    /** Herlihy and Wing 1990, figure 2 a and b, as a register. */
    @Test
    void overlappingReadsAndAWriteMaySeeOldThenNew() {
        op(0, 1, set(1), DONE).op(2, 10, set(2), DONE).op(3, 4, GET, 1L).op(5, 6, GET, 2L).op(7, 8, GET, 2L);
        is(Outcome.LINEARIZABLE);
    }

    @Test
    void newThenOldIsNone() {
        op(0, 1, set(1), DONE).op(2, 10, set(2), DONE).op(3, 4, GET, 2L).op(5, 6, GET, 1L);
        String why = is(Outcome.VIOLATION, Register.empty()).explanation();
        assertTrue(why.contains("the last that ended,\n         0.005          0.006 us  p3           get = 1"), why);
        assertTrue(why.contains("before it the state can be [2]"), why);
        assertTrue(why.contains("pending us  p1           set 2"), why);
    }

    @Test
    void aStaleReadIsNone() {
        op(0, 1, set(1), DONE).op(2, 3, set(2), DONE).op(4, 5, GET, 1L);
        is(Outcome.VIOLATION);
    }

    @Test
    void operationsOfOneInstantOverlap() {
        op(0, 1, set(1), DONE).op(2, 3, set(2), DONE).op(3, 5, GET, 1L);
        is(Outcome.LINEARIZABLE);
    }

    @Test
    void aLostUpdateIsNone() {
        op(0, 1, set(1), DONE).op(2, 6, new Register.Swap(1, 2), DONE).op(3, 7, new Register.Swap(1, 3), DONE);
        is(Outcome.VIOLATION);
    }

    @Test
    void ofTwoConditionalWritesOneIsRefused() {
        op(0, 1, set(1), DONE).op(2, 6, new Register.Swap(1, 2), DONE).op(3, 7, new Register.Swap(1, 3), REFUSED)
                .op(8, 9, GET, 2L).op(10, 11, DELETE, DONE).op(12, 13, new Register.Swap(2, 4), ABSENT)
                .op(14, 15, new Register.Add(5), DONE).op(16, 17, new Register.Add(6), REFUSED).op(18, 19, GET, 5L);
        is(Outcome.LINEARIZABLE);
        op(20, 21, new Register.Swap(5, 7), REFUSED);
        is(Outcome.VIOLATION);
    }

    @Test
    void aValueThatNobodyWroteIsNone() {
        op(0, 1, set(1), DONE).op(2, 3, GET, 9L);
        is(Outcome.VIOLATION);
    }

    @Test
    void aPendingWriteIsSeenAtAnyLaterTimeOrNever() {
        op(0, 1, set(1), DONE).pending(2, set(2)).op(3, 4, GET, 1L).op(5, 6, set(3), DONE).op(7, 8, GET, 3L);
        is(Outcome.LINEARIZABLE);
        op(100, 101, GET, 2L);
        is(Outcome.LINEARIZABLE);
        op(102, 103, GET, 3L);
        is(Outcome.VIOLATION);
    }

    @Test
    void aPendingWriteIsNotSeenBeforeItBegins() {
        op(0, 1, GET, 2L).pending(2, set(2));
        is(Outcome.VIOLATION);
    }

    @Test
    void aPendingConditionalWriteTakesEffectOnlyWhereItsConditionHolds() {
        op(0, 1, set(1), DONE).op(2, 3, set(2), DONE).pending(4, new Register.Swap(1, 3)).op(5, 6, GET, 2L);
        is(Outcome.LINEARIZABLE);
        op(7, 8, GET, 3L);
        is(Outcome.VIOLATION);
    }

    @Test
    void whatAReaderSawOfAPendingWriteStays() {
        op(0, 1, set(1), DONE).pending(2, set(2)).op(3, 4, GET, 2L).op(5, 6, GET, 1L);
        is(Outcome.VIOLATION);
    }

    @Test
    void keysAreJudgedApartAndTheBadOneIsNamed() {
        on("a", 0, 1, set(1), DONE).on("b", 0, 1, set(2), DONE).on("a", 2, 3, GET, 1L).on("b", 2, 3, GET, 2L);
        is(Outcome.LINEARIZABLE);
        on("b", 4, 5, GET, ABSENT);
        String why = is(Outcome.VIOLATION, Register.empty()).explanation();
        assertTrue(why.startsWith("key b: "), why);
    }

    @Test
    void aCacheMayLoseAValueAndDoesNotHaveItAgain() {
        op(0, 1, set(1), DONE).op(2, 3, GET, ABSENT).op(4, 5, GET, ABSENT);
        is(Outcome.VIOLATION);
        is(Outcome.LINEARIZABLE, Register.forgetful());
        op(6, 7, GET, 1L);
        is(Outcome.VIOLATION, Register.forgetful());
    }

    @Test
    void whatTakesTooLongIsNoPass() {
        for (int i = 0; i < 30; i++) {
            op(0, 100 + i, set(i), DONE);
        }
        op(200, 201, GET, 77L);
        assertEquals(Outcome.GAVE_UP, Linearizability.judge(Register.empty(), history, 10_000).outcome());
        assertTrue(assertThrows(AssertionError.class, () -> Linearizability.check(Register.empty(), history, "seed 5"))
                .getMessage().startsWith("GAVE_UP, seed 5"));
    }

    @Test
    void aLongHistoryOfFewAtATimeIsQuick() {
        for (int i = 0; i < 20_000; i++) {
            op(10L * i, 10L * i + 14, i % 2 == 0 ? set(i) : GET, i % 2 == 0 ? DONE : (Object) (i - 1L));
        }
        is(Outcome.LINEARIZABLE);
        op(200_020, 200_021, GET, 19_996L);
        is(Outcome.VIOLATION);
    }

    @Test
    void operationsThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> op(2, 1, GET, 1L));
        assertThrows(IllegalArgumentException.class, () -> op(1, 2, GET, null));
        assertThrows(IllegalArgumentException.class, () -> op(1, Operation.NEVER, GET, 1L));
    }
}
