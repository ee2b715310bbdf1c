package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.Await;

/** Claims of one slot that overlap. */
class SlotStateTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int THREADS = 4;
    private static final int ROUNDS = 100_000;

    /** A slot without a session. */
    private static final class Slot extends SlotState {

        volatile LongPredicate acknowledged = send -> false;

        @Override
        boolean isAcknowledged(long send) {
            return acknowledged.test(send);
        }

        @Override
        public WireWriter arguments() {
            throw new UnsupportedOperationException();
        }

        @Override
        public WireReader invoke() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int thrown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            throw new UnsupportedOperationException();
        }
    }

    private final Slot slot = new Slot();

    @Test
    void whoeverSentOneWayDoesNotTakeTheNextCallForItsOwn() {
        assertTrue(slot.tryClaim());
        long first = slot.claim();
        assertTrue(slot.isUnsent(first));
        slot.leave(7);
        assertFalse(slot.tryClaim(), "before the acknowledgement");
        slot.acknowledged = send -> send <= 7;
        assertTrue(slot.tryClaim());
        assertFalse(slot.isUnsent(first), "the first caller would free the second one's slot");
        assertTrue(slot.isUnsent(slot.claim()));
    }

    @Test
    void anAcknowledgementClaimsNoSlotThatIsLeavingAgain() {
        AtomicInteger steps = new AtomicInteger();
        assertTrue(slot.tryClaim());
        slot.leave(7);
        slot.acknowledged = send -> {
            if (steps.getAndIncrement() == 0) { // between the look at the slot and its claim: another thread
                assertTrue(slot.tryClaim());
                slot.leave(8);
            }
            return send <= 7;
        };
        assertFalse(slot.tryClaim(), "message 8 is still read from the slot's memory");
        assertEquals(SlotState.LEAVING, slot.state());
        slot.acknowledged = send -> send <= 8;
        assertTrue(slot.tryClaim());
    }

    @Test
    void anAcknowledgementFreesNoSlotThatIsLeavingAgain() {
        AtomicInteger steps = new AtomicInteger();
        assertTrue(slot.tryClaim());
        slot.leave(7);
        slot.acknowledged = send -> {
            if (steps.getAndIncrement() == 0) {
                assertTrue(slot.tryClaim());
                slot.leave(8);
            }
            return send <= 7;
        };
        slot.tryFreeLeaving(false);
        assertEquals(SlotState.LEAVING, slot.state());
    }

    @Test
    void aCallIsLeftOnceAndTheNextOneHasAnotherNumber() {
        assertTrue(slot.tryClaim());
        long first = slot.claim();
        slot.set(SlotState.SENT);
        assertTrue(slot.leaveSent(SlotState.ABANDONED));
        assertFalse(slot.leaveSent(SlotState.ARRIVING));
        slot.set(SlotState.FREE);
        assertTrue(slot.tryClaim());
        assertEquals(first + 1, slot.claim());
    }

    @Test
    void aClosedSlotIsNobodys() {
        assertTrue(slot.tryClaim());
        assertFalse(slot.tryClose());
        slot.set(SlotState.FREE);
        assertTrue(slot.tryClose());
        assertTrue(slot.tryClose());
        assertFalse(slot.tryClaim());
    }

    @Test
    void oneCallerAtATimeHasTheSlotWhateverTheOrderOfSendsAndAcknowledgements() {
        System.out.println("oneCallerAtATime: -Djvrpc.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        AtomicLong sends = new AtomicLong();
        AtomicLong acknowledged = new AtomicLong();
        AtomicInteger owners = new AtomicInteger();
        AtomicLong shared = new AtomicLong();
        slot.acknowledged = send -> acknowledged.get() >= send;
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom own = random.split();
            threads.add(Await.start(() -> {
                int claims = 0;
                for (int i = 0; i < ROUNDS; i++) {
                    if (slot.tryClaim()) {
                        claims++;
                        call(own, owners, shared, sends);
                    } else if (own.nextInt(4) == 0) {
                        acknowledged.set(sends.get()); // of whatever is under way now
                    }
                }
                return claims;
            }));
        }
        int claims = threads.stream().mapToInt(Await::join).sum();
        assertEquals(0, shared.get(), "of claims=" + claims + " seed=" + SEED);
        assertTrue(claims > 0);
    }

    private void call(SplittableRandom random, AtomicInteger owners, AtomicLong shared, AtomicLong sends) {
        if (owners.incrementAndGet() != 1) {
            shared.incrementAndGet();
        }
        long claim = slot.claim();
        boolean leaves = random.nextBoolean();
        dawdle(random); // so that threads meet here also where processors are few
        owners.decrementAndGet();
        if (leaves) {
            slot.leave(sends.incrementAndGet());
            dawdle(random);
        }
        if (slot.isUnsent(claim)) {
            slot.set(SlotState.FREE);
        }
    }

    private static void dawdle(SplittableRandom random) {
        if (random.nextInt(16) == 0) {
            Thread.yield();
        }
    }
}
