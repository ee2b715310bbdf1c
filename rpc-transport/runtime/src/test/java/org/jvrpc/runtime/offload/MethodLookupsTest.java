package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesService;

/** Which connection a thread has, and when they are made. */
class MethodLookupsTest {

    private static final long MS = 1_000_000;
    private static final long FIRST_NS = 10 * MS;
    private static final long LAST_NS = 5_000 * MS;
    private static final int CONNECTIONS = 4;

    private final OffloadRig rig = new OffloadRig();
    private final MethodPublisher<Quotes> last = rig.offer("last(long)");

    @AfterEach
    void close() {
        rig.close();
    }

    private MethodLookups lookups(int connections) {
        rig.settings.offloadConnections(connections);
        return rig.lookups(last, QuotesService.LAST_LONG, 512);
    }

    /** Does something on a thread whose number has such a remainder. */
    private static <T> T on(int remainder, Supplier<T> what) {
        Object[] result = new Object[1];
        while (true) {
            Thread thread = new Thread(() -> result[0] = what.get());
            if (thread.getId() % CONNECTIONS == remainder) {
                thread.start();
                Await.until("the thread", () -> !thread.isAlive());
                @SuppressWarnings("unchecked")
                T done = (T) result[0];
                return done;
            }
        }
    }

    /** Has everything done that the client's thread is asked for, and ends it. */
    private void work() {
        rig.connector.execute(rig.connector::stop);
        rig.connector.run();
    }

    private MethodLookups connected(int connections) {
        MethodLookups lookups = lookups(connections);
        for (int i = 0; i < connections; i++) {
            assertNull(on(i, lookups::claim));
        }
        work();
        assertEquals(connections, rig.client.connections);
        return lookups;
    }

    @Test
    void aConnectionIsMadeByTheClientsThreadWhileTheCallGoesOn() {
        MethodLookups lookups = lookups(1);
        assertNull(lookups.claim());
        assertNull(lookups.claim());
        assertEquals(0, rig.client.connections);
        work();
        assertEquals(1, rig.client.connections, "made once");
        assertNotNull(lookups.claim());
        assertNull(lookups.claim());
    }

    @Test
    void aThreadHasItsOwnConnectionAndOneOfTheOthersWhereThatIsClaimed() {
        MethodLookups lookups = connected(CONNECTIONS);
        Set<OffloadedCall> all = new HashSet<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            OffloadedCall own = on(i, lookups::claim);
            assertTrue(all.add(own));
            own.close();
            assertSame(own, on(i, lookups::claim));
            OffloadedCall other = on(i, lookups::claim);
            assertNotSame(own, other);
            other.close();
            own.close();
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            assertTrue(all.remove(on(1, lookups::claim)));
        }
        assertNull(on(1, lookups::claim));
    }

    @Test
    void aThreadTakesAnotherConnectionUntilItsOwnIsThere() {
        MethodLookups lookups = lookups(2);
        assertNull(on(0, lookups::claim));
        work();
        OffloadedCall first = on(1, lookups::claim);
        assertNotNull(first);
        assertNull(on(0, lookups::claim), "the other one is not made yet");
    }

    @Test
    void theWaitBeforeAnAttemptGrowsUnlessTheLastConnectionHeldLong() {
        MethodLookups lookups = lookups(1);
        assertEquals(FIRST_NS, lookups.backoffNs(0, 0));
        assertEquals(2 * FIRST_NS, lookups.backoffNs(FIRST_NS, 0));
        assertEquals(LAST_NS, lookups.backoffNs(LAST_NS, 0));
        assertEquals(LAST_NS - 2, lookups.backoffNs(LAST_NS / 2 - 1, 0));
        assertEquals(2 * FIRST_NS, lookups.backoffNs(FIRST_NS, LAST_NS));
        assertEquals(FIRST_NS, lookups.backoffNs(LAST_NS, LAST_NS + 1));
    }

    @Test
    void theAnswersOfAllConnectionsAreCounted() {
        MethodLookups lookups = connected(2);
        last.publish(q -> q.last(5), 55L);
        OffloadedCall one = on(0, lookups::claim);
        OffloadedCall other = on(1, lookups::claim);
        one.close();
        other.close();
        assertEquals(55, rig.stub(one).last(5));
        assertEquals(55, rig.stub(one).last(5));
        assertEquals(55, rig.stub(other).last(5));
        assertEquals(3, lookups.answered());
        assertEquals(3, rig.connector.answered());
    }

    @Test
    void aProgramIsWaitedForAsLongAsTheClientSays() {
        rig.settings.offloadWait(Duration.ofMillis(3));
        assertEquals(3 * MS, lookups(1).waitNs());
    }

    @Test
    void lookupsAreForTheirOfferAlone() {
        MethodLookups lookups = lookups(1);
        assertTrue(lookups.isFor(OffloadRig.offerOf(last, QuotesService.LAST_LONG.index(), 512)));
        assertFalse(lookups.isFor(OffloadRig.offerOf(last, QuotesService.LAST_LONG.index(), 256)));
    }

    @Test
    void aClientThatClosesWaitsForWhoeverHasAConnectionAndNobodyGetsOneLater() {
        MethodLookups lookups = connected(2);
        OffloadedCall held = on(0, lookups::claim);
        assertFalse(lookups.retire());
        assertNull(on(1, lookups::claim), "the other one is retired");
        held.close();
        assertTrue(lookups.retire());
        assertNull(on(0, lookups::claim));
        rig.time.nowNs += 2 * LAST_NS;
        assertFalse(held.tryJoin());
    }
}
