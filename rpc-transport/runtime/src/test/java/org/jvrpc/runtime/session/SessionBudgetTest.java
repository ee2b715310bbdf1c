package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.SessionLimits;

/** What the sessions of a server may cost it, to the last byte. */
class SessionBudgetTest {

    private static final long MIB = 1L << 20;
    private static final Protocol.Cost PRODUCT = (protocol, units, most, unitBytes) -> (long) units * unitBytes;

    private final SessionLimits limits = new SessionLimits();
    private final SessionBudget budget = new SessionBudget(limits);

    private static void refused(String message, Executable what) {
        RpcException e = assertThrows(RpcException.class, what);
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals(message, e.getMessage());
    }

    private void uses(int sessions, int peers, long sessionBytes, long bodyBytes) {
        assertEquals("sessions=" + sessions + " peers=" + peers + " session bytes=" + sessionBytes + " body bytes="
                + bodyBytes, budget.toString());
    }

    @Test
    void soManySessionsAreAdmittedAndAnotherOneWhenOneHasLeft() {
        limits.maxSessions(2);
        SessionBudget.Share first = budget.admit(null);
        budget.admit("a");
        refused("max sessions 2 reached", () -> budget.admit("b"));
        uses(2, 1, 0, 0);
        first.close();
        first.close();
        uses(1, 1, 0, 0);
        budget.admit("b");
        uses(2, 2, 0, 0);
    }

    @Test
    void soManySessionsOfAPeerAreAdmittedAndThoseOfNoneCountAmongAllOnly() {
        limits.maxSessionsPerPeer(2);
        SessionBudget.Share first = budget.admit("a");
        SessionBudget.Share second = budget.admit("a");
        refused("max sessions of a peer 2 reached by a", () -> budget.admit("a"));
        budget.admit("b").close();
        for (int i = 0; i < 3; i++) {
            budget.admit(null);
        }
        uses(5, 1, 0, 0);
        first.close();
        uses(4, 1, 0, 0);
        budget.admit("a").close();
        second.close();
        uses(3, 0, 0, 0);
    }

    @Test
    void whoIsExpectedTakesNothingBeforeItIsThere() {
        limits.maxSessions(2).maxSessionsPerPeer(1).sessionMemory(MIB);
        Hello asked = Hello.request(Protocol.CALLS, 64, 1024, 1 << 30);
        SessionBudget.Share first = budget.expect("a");
        assertEquals(asked, first.grant(asked, PRODUCT));
        SessionBudget.Share second = budget.expect("a");
        assertEquals(asked, second.grant(asked, PRODUCT));
        assertEquals("sessions=0 peers=0 session bytes=0 body bytes=0 expected=2", budget.toString());
        first.enter();
        assertEquals("sessions=1 peers=1 session bytes=65536 body bytes=0 expected=1", budget.toString());
        refused("max sessions of a peer 1 reached by a", () -> budget.expect("a"));
        refused("max sessions of a peer 1 reached by a", second::enter);
        first.close();
        assertFalse(budget.isEmpty());
        second.close();
        uses(0, 0, 0, 0);
    }

    @Test
    void whoIsExpectedFindsThatOthersCameBefore() {
        limits.maxSessions(2).sessionMemory(16 * MIB);
        Hello asked = Hello.request(Protocol.CALLS, 1024, 1024, 1 << 30);
        SessionBudget.Share late = budget.expect(null);
        late.grant(asked, PRODUCT);
        SessionBudget.Share other = budget.admit(null);
        other.takeSlots(16 * MIB - 1);
        refused("max memory of sessions 16777216 bytes reached: used=16777215 needed=1048576", late::enter);
        SessionBudget.Share another = budget.admit(null);
        refused("max sessions 2 reached", late::enter);
        late.close();
        late.close();
        another.close();
        other.close();
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void itIsEmptyWhenTheLastOneHasLeft() {
        assertTrue(budget.isEmpty());
        SessionBudget.Share share = budget.admit(null);
        assertFalse(budget.isEmpty());
        share.close();
        assertTrue(budget.isEmpty());
    }

    @Test
    void aSessionGetsASixteenthOfWhatIsLeft() {
        limits.sessionMemory(16 * MIB);
        Hello asked = Hello.request(Protocol.CALLS, 1024, 1024, 1 << 30);
        SessionBudget.Share first = budget.admit(null);
        assertEquals(asked, first.grant(asked, PRODUCT));
        uses(1, 0, MIB, 0);
        SessionBudget.Share second = budget.admit(null);
        assertEquals(asked.withUnits(512, 1024), second.grant(asked, PRODUCT));
        uses(2, 0, MIB + MIB / 2, 0);
        second.close();
        uses(1, 0, MIB, 0);
        first.close();
        uses(0, 0, 0, 0);
    }

    @Test
    void noSessionGetsMoreThanItsOffsetsReach() {
        limits.sessionMemory(16L << 30);
        Hello asked = Hello.request(Protocol.CALLS, 512, 1 << 20, 1 << 30);
        budget.admit(null).grant(asked, PRODUCT);
        uses(1, 0, 256 * MIB, 0);
    }

    @Test
    void whereNotTheLeastFitsTheRefusalSaysWhatIsLeft() {
        limits.sessionMemory(MIB);
        SessionBudget.Share share = budget.admit(null);
        share.grant(Hello.request(Protocol.CALLS, 64, 1024, 1 << 30), PRODUCT);
        uses(1, 0, 64 << 10, 0);
        refused("max memory of sessions 1048576 bytes reached: used=65536 left for one session=61440",
                () -> budget.admit(null).grant(Hello.request(Protocol.CALLS, 1, 256, 1 << 30),
                        (protocol, units, most, unitBytes) -> 61_441));
        uses(2, 0, 64 << 10, 0);
    }

    @Test
    void aSessionPaysForItsFirstSlotsAndForMoreWhenItGetsThem() {
        limits.sessionMemory(MIB);
        SessionBudget.Share share = budget.admit(null);
        Hello granted = share.grant(Hello.request(Protocol.CALLS, 64, 1024, 1 << 30).withFirst(4), PRODUCT);
        assertEquals(64, granted.units());
        assertEquals(4, granted.firstUnits());
        uses(1, 0, 4 << 10, 0);
        share.takeSlots(12 << 10);
        uses(1, 0, 16 << 10, 0);
        share.giveSlots(12 << 10);
        uses(1, 0, 4 << 10, 0);
        share.takeSlots(MIB - (4 << 10));
        refused("max memory of sessions 1048576 bytes reached: used=1048576 needed=1", () -> share.takeSlots(1));
        share.close();
        uses(0, 0, 0, 0);
        share.giveSlots(MIB - (4 << 10));
        uses(0, 0, 0, 0);
        refused("session is over", () -> share.takeSlots(1));
        uses(0, 0, 0, 0);
    }

    @Test
    void bodiesOfASessionAndOfAllHaveTheirLimits() {
        limits.bodyMemory(2 * MIB, 3 * MIB);
        SessionBudget.Share first = budget.admit(null);
        SessionBudget.Share second = budget.admit(null);
        first.takeBody(MIB);
        refused("max body memory of a session 2097152 bytes reached: used=1048576 needed=1048577",
                () -> first.takeBody(MIB + 1));
        first.takeBody(MIB);
        refused("max body memory of the server 3145728 bytes reached: used=2097152 needed=1048577",
                () -> second.takeBody(MIB + 1));
        second.takeBody(MIB);
        uses(2, 0, 0, 3 * MIB);
        first.giveBody(MIB);
        uses(2, 0, 0, 2 * MIB);
        first.takeBody(MIB);
        first.close();
        uses(1, 0, 0, MIB);
        second.takeBody(MIB);
    }

    @Test
    void memoryIsScarceForAllWhenMoreThanHalfIsTaken() {
        limits.bodyMemory(2 * MIB, 2 * MIB);
        SessionBudget.Share first = budget.admit(null);
        SessionBudget.Share second = budget.admit(null);
        first.takeBody(MIB);
        assertFalse(second.isScarce());
        first.takeBody(1);
        assertTrue(second.isScarce());
        first.giveBody(1);
        assertFalse(second.isScarce());
        second.takeBody(MIB);
        assertTrue(first.isScarce());
        second.close();
        assertFalse(first.isScarce());
    }
}
