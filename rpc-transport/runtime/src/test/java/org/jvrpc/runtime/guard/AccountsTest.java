package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;

/** What principals cost, by a clock of the test's. */
class AccountsTest {

    private static final RpcPrincipal ANN = RpcPrincipal.token("ann", null);
    private static final long MS = 1_000_000;

    private long nowNs = Long.MAX_VALUE - 100 * MS; // it passes the end of the numbers
    private final PrincipalLimits limits = new PrincipalLimits();
    private final Accounts accounts = new Accounts(limits, () -> nowNs);

    private String enter(long bytes) {
        return accounts.of(ANN).enter(bytes, nowNs);
    }

    @Test
    void callsOfASecondMayComeAtOnceThenEvenly() {
        limits.callsPerSecond(10);
        for (int i = 0; i < 10; i++) {
            assertNull(enter(0));
        }
        assertEquals("principal token:ann has reached its limit: calls a second limit=10, again in ms=100", enter(0));
        nowNs += 99 * MS;
        assertTrue(enter(0).contains("limit=10"));
        nowNs += MS;
        assertNull(enter(0));
        assertTrue(enter(0).contains("limit=10"));
        nowNs += 3_600_000 * MS;
        for (int i = 0; i < 10; i++) {
            assertNull(enter(0));
        }
        assertTrue(enter(0).contains("limit=10"));
    }

    @Test
    void whatIsLongerThanASecondsShareIsWaitedForAfterwards() {
        limits.bytesPerSecond(1000);
        assertNull(enter(5000));
        nowNs += 4000 * MS;
        assertTrue(enter(1).contains("bytes a second limit=1000 bytes=1, again in ms="));
        nowNs += 2 * MS;
        assertNull(enter(1));
    }

    @Test
    void callsUnderWayAreCountedUntilTheyEnd() {
        limits.maxCalls(1);
        assertNull(enter(0));
        assertEquals("principal token:ann has reached its limit: calls under way=1 limit=1", enter(0));
        accounts.of(ANN).leave();
        assertNull(enter(0));
    }

    @Test
    void anAccountGoesOnceItSaysNothingMore() {
        limits.callsPerSecond(10);
        Account account = accounts.withSession(ANN);
        accounts.sweep();
        assertEquals(1, accounts.size(), "it has a session");
        assertNull(account.enter(0, nowNs));
        account.removeSession();
        nowNs += 1000 * MS;
        accounts.sweep();
        assertEquals(1, accounts.size(), "it has a call under way");
        assertNull(account.enter(0, nowNs));
        account.leave();
        account.leave();
        accounts.sweep();
        assertEquals(1, accounts.size(), "it remembers a call");
        nowNs += 100 * MS;
        accounts.sweep();
        assertEquals(0, accounts.size());
        assertEquals(Account.CLOSED, account.enter(0, nowNs));
        assertNull(enter(0));
    }

    @Test
    void thousandsWhoCameAndWentLeaveNothing() {
        limits.maxCalls(2).callsPerSecond(5);
        for (int i = 0; i < 10_000; i++) {
            RpcPrincipal each = RpcPrincipal.token("user-" + i, null);
            Account account = accounts.withSession(each);
            assertNull(account.enter(1, nowNs));
            account.leave();
            account.removeSession();
        }
        nowNs += 1000 * MS;
        accounts.sweep();
        assertEquals(0, accounts.size());
    }
}
