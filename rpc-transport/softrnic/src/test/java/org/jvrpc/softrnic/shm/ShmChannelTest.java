package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.queue.Timed;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** What a channel does for those who wait and those who are watched: by a clock of the test's where time matters. */
class ShmChannelTest {

    private static final long ATTEMPT_NS = 50_000_000;
    private static final int TRIES = 60;

    private final List<ShmChannel> closed = new ArrayList<>();
    private final List<Pipe> pipes = new ArrayList<>();
    private long nowNs = -7; // the first attempts come at any time
    private final ShmChannel still = new ShmChannel(() -> nowNs, closed::add);
    private final ShmChannel channel = new ShmChannel(System::nanoTime, closed::add);

    @AfterEach
    void close() throws IOException {
        still.close();
        channel.close();
        for (Pipe pipe : pipes) {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    /** Counts what it is told, and wakes who waits at the given tick. */
    private final class Ticks implements Timed {

        private final AtomicInteger count = new AtomicInteger();
        private final int last;
        private final long intervalNs;

        Ticks(int last, long intervalNs) {
            this.last = last;
            this.intervalNs = intervalNs;
        }

        @Override
        public void tick(long nowNs) {
            if (count.incrementAndGet() == last) {
                channel.wakeup();
            }
        }

        @Override
        public long intervalNs() {
            return intervalNs;
        }
    }

    /** Returns a thread that waits, and goes on when it is told of what comes now. */
    private Background<Boolean> waiting() {
        Background<Boolean> waiter = Background.start("waiter", () -> channel.await(2 * Deadline.BOUND_NS));
        Ticks begun = new Ticks(0, Long.MAX_VALUE);
        channel.watch(begun);
        Deadline.until("the first tick", () -> begun.count.get() > 0);
        channel.unwatch(begun);
        return waiter;
    }

    @Test
    void whatIsWatchedIsToldTheTimeByEachWaitUntilItIsNotWatched() {
        List<Long> told = new ArrayList<>();
        Timed handler = new Timed() {
            @Override
            public void tick(long time) {
                told.add(time);
            }

            @Override
            public long intervalNs() {
                return 1;
            }
        };
        still.watch(handler);
        still.await(0);
        nowNs = 100;
        still.await(-1);
        still.unwatch(handler);
        still.await(0);
        assertEquals(List.of(-7L, 100L), told);
    }

    @Test
    void whoWaitsTellsTheTimeAsOftenAsTheMostImpatientAsks() {
        Ticks slow = new Ticks(0, Deadline.BOUND_NS);
        Ticks fast = new Ticks(3, 1_000_000);
        channel.watch(slow);
        channel.watch(fast);
        channel.await(0); // what watching woke
        assertTrue(channel.await(Deadline.BOUND_NS), "woken by the third tick");
        assertEquals(3, fast.count.get());
    }

    @Test
    void whatIsWatchedOrTriedWhileSomebodyWaitsIsToldTheTimeByThisWait() {
        Background<Boolean> waiter = waiting();
        AtomicInteger tries = new AtomicInteger();
        channel.attempt(last -> tries.incrementAndGet() == 3);
        Deadline.until("two more tries", () -> tries.get() == 3);
        Ticks second = new Ticks(1, Long.MAX_VALUE);
        channel.watch(second);
        assertTrue(waiter.join(30));
    }

    @Test
    void aTryThatFailsIsRepeatedEachFiftyMillisecondsUntilItIsDone() {
        List<Boolean> tries = new ArrayList<>();
        still.attempt(last -> {
            tries.add(last);
            return tries.size() == 4;
        });
        assertEquals(1, tries.size(), "at once");
        nowNs = 0;
        still.await(0);
        assertEquals(2, tries.size());
        nowNs += ATTEMPT_NS - 1;
        still.await(0);
        assertEquals(2, tries.size(), "not before its time");
        nowNs += 1;
        still.await(0);
        assertEquals(3, tries.size());
        for (int i = 0; i < 3; i++) {
            nowNs += ATTEMPT_NS;
            still.await(0);
        }
        assertEquals(List.of(false, false, false, false), tries, "the fourth was the last");
    }

    @Test
    void aTryThatIsDoneAtOnceIsNotRepeated() {
        AtomicInteger tries = new AtomicInteger();
        still.attempt(last -> tries.incrementAndGet() == 1);
        nowNs += ATTEMPT_NS;
        still.await(0);
        assertEquals(1, tries.get());
    }

    @Test
    void theSixtiethTryKnowsThatItIsTheLast() {
        List<Boolean> tries = new ArrayList<>();
        still.attempt(last -> {
            tries.add(last);
            return false;
        });
        for (int i = 0; i < 2 * TRIES; i++) {
            nowNs += ATTEMPT_NS;
            still.await(0);
        }
        assertEquals(TRIES, tries.size());
        assertEquals(TRIES - 1, tries.indexOf(true));
    }

    @Test
    void closingTriesForTheLastTimeAndSaysSoOnce() {
        List<Boolean> tries = new ArrayList<>();
        still.attempt(last -> {
            tries.add(last);
            return false;
        });
        still.close();
        assertEquals(List.of(false, true), tries);
        assertSame(still, closed.get(0));
        still.close();
        assertEquals(2, tries.size(), "nobody tries again");
    }

    @Test
    void whatIsTriedOnAChannelThatIsClosedKnowsThatNobodyTriesAgain() {
        List<Boolean> tries = new ArrayList<>();
        still.close();
        still.attempt(last -> {
            tries.add(last);
            return false;
        });
        assertEquals(List.of(false, true), tries);
    }

    @Test
    void aWakeupEndsOneWaitThatOfNowOrTheNext() {
        channel.wakeup();
        channel.wakeup();
        assertTrue(channel.await(Deadline.BOUND_NS));
        assertFalse(channel.await(0));
        Background<Boolean> waiter = waiting();
        channel.wakeup();
        assertTrue(waiter.join(30));
    }

    @Test
    void aThreadThatIsInterruptedDoesNotWait() {
        Thread.currentThread().interrupt();
        assertFalse(channel.await(2 * Deadline.BOUND_NS));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aWaitLastsItsTimeToTheMillisecond() {
        for (long waitNs : new long[] {1, 999_999, 1_000_000, 3_000_001}) {
            long startNs = System.nanoTime();
            assertFalse(channel.await(waitNs));
            assertTrue(System.nanoTime() - startNs >= waitNs, "waitNs=" + waitNs);
        }
    }

    /** What a socket's handler does when it is ready, and whether it was asked about its peer's memory. */
    private static final class Ready implements ShmChannel.Handler {

        private final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger suspected = new AtomicInteger();
        private final boolean event;
        private final Error thrown;

        Ready(boolean event, Error thrown) {
            this.event = event;
            this.thrown = thrown;
        }

        @Override
        public boolean ready() {
            count.incrementAndGet();
            if (thrown != null) {
                throw thrown;
            }
            return event;
        }

        @Override
        public void suspect() {
            suspected.incrementAndGet();
        }
    }

    private Pipe quiet() throws IOException {
        Pipe pipe = Pipe.open();
        pipes.add(pipe);
        pipe.source().configureBlocking(false);
        return pipe;
    }

    private Pipe readable() throws IOException {
        Pipe pipe = quiet();
        pipe.sink().write(ByteBuffer.allocate(1));
        return pipe;
    }

    @Test
    void aSocketThatIsReadyIsAnEventWhereItsHandlerSaysSo() throws IOException {
        Ready event = new Ready(true, null);
        Ready none = new Ready(false, null);
        channel.register(readable().source(), SelectionKey.OP_READ, none);
        assertFalse(channel.await(0));
        assertFalse(channel.await(1_000_000));
        channel.register(readable().source(), SelectionKey.OP_READ, event);
        assertTrue(channel.await(0));
        assertTrue(channel.await(Deadline.BOUND_NS));
        assertTrue(none.count.get() >= 4 && event.count.get() == 2, none.count + " " + event.count);
    }

    @Test
    void aSocketThatIsRegisteredWhileSomebodyWaitsEndsThisWait() throws IOException {
        Background<Boolean> waiter = waiting();
        channel.register(readable().source(), SelectionKey.OP_READ, new Ready(true, null));
        assertTrue(waiter.join(30));
    }

    @Test
    void whenMemoryOfSomePeerIsGoneAllAreAskedAboutTheirs() throws IOException {
        Ready thrower = new Ready(false, new InternalError("a fault of the test's"));
        Ready other = new Ready(false, null);
        channel.register(quiet().source(), SelectionKey.OP_READ, other);
        channel.register(readable().source(), SelectionKey.OP_READ, thrower);
        assertFalse(channel.await(0));
        assertEquals(1, thrower.suspected.get());
        assertEquals(1, other.suspected.get());
    }

    @Test
    void aClosedChannelSaysThatItIsClosed() throws IOException {
        channel.close();
        assertThrows(IllegalStateException.class, () -> channel.await(0));
        Pipe pipe = readable();
        String error = assertThrows(IOException.class,
                () -> channel.register(pipe.source(), SelectionKey.OP_READ, new Ready(true, null))).getMessage();
        assertTrue(error.contains("event channel is closed"), error);
    }
}
