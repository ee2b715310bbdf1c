package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.ReadingLink;
import org.jvrpc.runtime.session.RpcHeader;

class OneWayCreditsTest {

    private static final int ROUNDS = 200_000;
    private static final long LONGEST_NS = 4_000_000_000L;

    /** Notes the calls that control messages are of. */
    private static final class NotingLink extends ReadingLink {

        private final List<Integer> calls = new ArrayList<>();
        private int slots = Integer.MAX_VALUE;
        /** What others do while the one with the lock sends. */
        private Runnable meanwhile = () -> { };

        @Override
        public boolean hasControl() {
            return slots > 0;
        }

        @Override
        public boolean sendControl(long first, long second) {
            slots--;
            meanwhile.run();
            calls.add(RpcHeader.callId(first));
            return true;
        }
    }

    private final NotingLink link = new NotingLink();
    private final OneWayCredits credits = new OneWayCredits(link, 1, 2);

    @Test
    void controlMessagesLeaveInTheirOrderAsCreditsCome() {
        for (int call = 1; call <= 3; call++) {
            credits.sendLater(RpcHeader.CANCEL, call);
        }
        assertTrue(credits.mayWait());
        assertTrue(credits.flush());
        assertEquals(List.of(1), link.calls);
        assertTrue(credits.give(1));
        assertEquals(List.of(1, 2), link.calls);
        assertTrue(credits.give(5));
        assertEquals(List.of(1, 2, 3), link.calls);
        assertFalse(credits.mayWait());
    }

    /** Of more than two of each slot, the oldest are of calls whose slots were used again. */
    @Test
    void theOldestMakesWayForTheNewest() {
        for (int call = 1; call <= 6; call++) {
            credits.sendLater(RpcHeader.CANCEL, call);
        }
        assertTrue(credits.give(10));
        assertEquals(List.of(3, 4, 5, 6), link.calls);
    }

    @Test
    void aLinkThatIsBrokenIsToldAndNothingWaitsForIt() {
        OneWayCredits broken = new OneWayCredits(new ReadingLink() {
            @Override
            public boolean hasControl() {
                return true;
            }

            @Override
            public boolean sendControl(long first, long second) {
                return false;
            }
        }, 1, 2);
        assertTrue(broken.flush(), "there is nothing to send");
        broken.sendLater(RpcHeader.CANCEL, 1);
        assertFalse(broken.flush());
        broken.sendLater(RpcHeader.CANCEL, 2);
        assertTrue(broken.flush(), "there is no credit");
        assertFalse(broken.give(1));
    }

    @Test
    void whatIsTakenForACallIsNotThereForAControlMessage() {
        credits.take();
        credits.sendLater(RpcHeader.CANCEL, 1);
        assertTrue(credits.flush());
        assertEquals(List.of(), link.calls);
        assertTrue(credits.mayWait());
        assertTrue(credits.give(1));
        assertEquals(List.of(1), link.calls);
    }

    /** Whoever has the session's lock would wait for them, and with it all others. */
    @Test
    void nobodyWaitsForControlMessagesThatAreUnderWay() {
        credits.give(10);
        link.slots = 2;
        for (int call = 1; call <= 4; call++) {
            credits.sendLater(RpcHeader.CANCEL, call);
        }
        assertTrue(credits.flush());
        assertEquals(List.of(1, 2), link.calls);
        assertTrue(credits.mayWait());
        assertFalse(credits.areShort(), "of credits there are enough");
        assertEquals(9, credits.count());
        link.slots = 1;
        assertTrue(credits.flush());
        link.slots = 1;
        assertTrue(credits.flush());
        assertEquals(List.of(1, 2, 3, 4), link.calls);
        assertEquals(7, credits.count());
    }

    /** Who leaves one finds the lock taken then, and wakes somebody only for what may wait. */
    @Test
    void theyMayWaitAsLongAsTheyAreSent() {
        credits.give(10);
        List<Boolean> seen = new ArrayList<>();
        link.meanwhile = () -> seen.add(credits.mayWait());
        credits.sendLater(RpcHeader.CANCEL, 1);
        credits.sendLater(RpcHeader.CANCEL, 2);
        assertTrue(credits.flush());
        assertEquals(List.of(true, true), seen);
        assertFalse(credits.mayWait());
    }

    @Test
    void whatIsLeftWhileOthersAreSentIsSentOrMayWait() {
        credits.give(1);
        link.meanwhile = () -> {
            link.meanwhile = () -> { };
            credits.sendLater(RpcHeader.CANCEL, 2);
        };
        link.slots = 1;
        credits.sendLater(RpcHeader.CANCEL, 1);
        assertTrue(credits.flush());
        assertEquals(List.of(1), link.calls);
        assertTrue(credits.mayWait());
        link.slots = 1;
        assertTrue(credits.give(0));
        assertEquals(List.of(1, 2), link.calls);
    }

    /** One thread leaves a message in the very moment in which another finds no more of them. */
    @Test
    void whatIsLeftAsTheLastOneIsSentIsSentOrMayWait() throws InterruptedException {
        AtomicReference<OneWayCredits> round = new AtomicReference<>();
        AtomicInteger left = new AtomicInteger();
        Thread other = new Thread(() -> {
            while (left.get() >= 0) {
                OneWayCredits mine = round.getAndSet(null);
                if (mine == null) {
                    Thread.yield();
                } else {
                    mine.sendLater(RpcHeader.CANCEL, 2);
                    left.incrementAndGet();
                }
            }
        });
        other.setDaemon(true);
        other.start();
        long startNs = System.nanoTime();
        // A slow machine makes fewer.
        for (int i = 1; i <= ROUNDS && System.nanoTime() - startNs < LONGEST_NS; i++) {
            NotingLink notes = new NotingLink();
            OneWayCredits raced = new OneWayCredits(notes, 10, 2);
            raced.sendLater(RpcHeader.CANCEL, 1);
            round.set(raced);
            assertTrue(raced.flush());
            while (left.get() < i) {
                Thread.yield();
            }
            assertTrue(notes.calls.size() == 2 || raced.mayWait(), "it is sent by nobody, round=" + i);
        }
        left.set(Integer.MIN_VALUE);
        other.join();
    }

    @Test
    void theLastCreditIsNoShortageWhileNothingWaits() {
        credits.sendLater(RpcHeader.CANCEL, 1);
        assertTrue(credits.flush());
        assertEquals(0, credits.count());
        assertFalse(credits.areShort());
    }

    @Test
    void whatNeedsNoCreditIsSentFirstWhenThereIsASlot() {
        credits.take();
        credits.sendLater(RpcHeader.CANCEL, 1);
        link.slots = 0;
        credits.sendFree(RpcHeader.first(RpcHeader.GROW, 0, 9, 77));
        assertTrue(credits.flush());
        assertEquals(List.of(), link.calls);
        assertTrue(credits.mayWait());
        link.slots = 3;
        assertTrue(credits.flush());
        assertEquals(List.of(77), link.calls);
        assertTrue(credits.areShort());
        assertTrue(credits.give(2));
        assertEquals(List.of(77, 1), link.calls);
        assertEquals(1, credits.count());
        assertFalse(credits.mayWait());
    }
}
