package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.queue.Timed;
import org.jvrpc.verbs.contract.Deadline;

/** Channels at which nobody waits, and one thread that tells their owners of events. */
class SharedSelectorTest {

    private static final String THREAD = "jvrpc-shm-events";

    private final List<Pipe> pipes = new ArrayList<>();
    private final ShmChannel channel = new ShmChannel(System::nanoTime, closed -> { });
    private final ShmChannel other = new ShmChannel(System::nanoTime, closed -> { });
    private final AtomicInteger ready = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger otherTold = new AtomicInteger();

    @AfterEach
    void close() throws IOException {
        for (Pipe pipe : pipes) {
            pipe.source().close();
            pipe.sink().close();
        }
        channel.close();
        other.close();
    }

    /** Reads a byte each time that it is ready. */
    private final class Reader implements ShmChannel.Handler {

        private final Pipe pipe;

        Reader(Pipe pipe) {
            this.pipe = pipe;
        }

        @Override
        public boolean ready() {
            ready.incrementAndGet();
            try {
                return pipe.source().read(ByteBuffer.allocate(1)) == 1;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private Pipe pipe(ShmChannel of) throws IOException {
        Pipe pipe = Pipe.open();
        pipes.add(pipe);
        pipe.source().configureBlocking(false);
        of.register(pipe.source(), SelectionKey.OP_READ, new Reader(pipe));
        return pipe;
    }

    private static void write(Pipe pipe) throws IOException {
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(THREAD)).count();
    }

    /** Events that came before this have been told when this returns. */
    private void tellOther() throws IOException {
        int before = otherTold.get();
        Pipe pipe = pipe(other);
        assertTrue(other.notifyOnce(otherTold::incrementAndGet));
        write(pipe);
        Deadline.until("the other to be told", () -> otherTold.get() > before);
        assertTrue(other.await(0));
    }

    @Test
    void anOwnerIsToldOnceOfWhatItFindsByItsNextWait() throws IOException {
        Pipe pipe = pipe(channel);
        assertTrue(channel.notifies());
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        tellOther();
        assertEquals(0, told.get(), "of what came for another");
        write(pipe);
        Deadline.until("the owner to be told", () -> told.get() == 1);
        write(pipe);
        tellOther();
        assertEquals(1, told.get());
        ready.set(0);
        assertTrue(channel.await(Deadline.BOUND_NS));
        assertEquals(1, ready.get());
    }

    @Test
    void anOwnerIsToldOfWhatIsThereAlready() throws IOException {
        Pipe pipe = pipe(channel);
        write(pipe);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        Deadline.until("the owner to be told", () -> told.get() == 1);
    }

    @Test
    void anOwnerThatWaitsItselfIsToldNothing() throws IOException {
        Pipe pipe = pipe(channel);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        assertFalse(channel.await(0));
        write(pipe);
        tellOther();
        assertEquals(0, told.get());
        assertTrue(channel.await(Deadline.BOUND_NS));
        assertTrue(channel.notifyOnce(told::incrementAndGet), "once more");
        write(pipe);
        Deadline.until("the owner to be told", () -> told.get() == 1);
    }

    /** Does nothing. */
    private static final class Idle implements Timed {

        @Override
        public void tick(long nowNs) {
            // no time counts
        }

        @Override
        public long intervalNs() {
            return Long.MAX_VALUE;
        }
    }

    @Test
    void anOwnerIsToldWhenItIsCalled() throws IOException {
        pipe(channel);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        channel.wakeup();
        Deadline.until("the owner to be told of a call", () -> told.get() == 1);
        assertTrue(channel.await(0), "the call");
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        channel.attempt(last -> last);
        Deadline.until("the owner to be told of what is to be tried", () -> told.get() == 2);
    }

    @Test
    void anOwnerIsToldThatItIsToKeepTimeAndOfSocketsThatCome() throws IOException {
        pipe(channel);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        Idle idle = new Idle();
        channel.watch(idle);
        Deadline.until("the owner to be told of the time", () -> told.get() == 1);
        channel.await(0);
        assertFalse(channel.notifyOnce(told::incrementAndGet), "it is to keep time");
        channel.unwatch(idle);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        pipe(channel);
        Deadline.until("the owner to be told of a socket", () -> told.get() == 2);
    }

    @Test
    void whereThereIsSomethingToLookAtTheOwnerDoes() throws IOException {
        assertFalse(channel.notifyOnce(told::incrementAndGet), "no socket tells of anything");
        pipe(channel);
        channel.wakeup();
        assertFalse(channel.notifyOnce(told::incrementAndGet), "somebody called");
        assertTrue(channel.await(0));
        channel.attempt(last -> last);
        assertFalse(channel.notifyOnce(told::incrementAndGet), "something is to be tried again");
    }

    @Test
    void anOwnerThatThrowsIsToldAgainAndKeepsNoOtherFromBeingTold() throws IOException {
        Pipe pipe = pipe(channel);
        AtomicInteger left = new AtomicInteger(3);
        assertTrue(channel.notifyOnce(() -> {
            told.incrementAndGet();
            if (left.decrementAndGet() > 0) {
                throw new OutOfMemoryError("no thread, says the test");
            }
        }));
        write(pipe);
        tellOther();
        Deadline.until("the owner to be told thrice", () -> told.get() == 3);
        tellOther();
        assertEquals(3, told.get());
    }

    @Test
    void theThreadOutlivesAnInterrupt() throws IOException {
        Pipe pipe = pipe(channel);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        Stream<Thread> all = Thread.getAllStackTraces().keySet().stream();
        all.filter(thread -> thread.getName().equals(THREAD)).forEach(thread -> {
            thread.interrupt();
            Deadline.until("it to be taken", () -> !thread.isInterrupted());
        });
        write(pipe);
        Deadline.until("the owner to be told", () -> told.get() == 1);
    }

    @Test
    void theThreadIsThereWhileSocketsAre() throws IOException {
        Pipe first = pipe(channel);
        Pipe second = pipe(other);
        Deadline.until("no thread of tests before", () -> threads() == 0);
        assertTrue(channel.notifyOnce(told::incrementAndGet));
        assertTrue(other.notifyOnce(otherTold::incrementAndGet));
        assertEquals(1, threads());
        first.source().close();
        channel.closed();
        write(second);
        Deadline.until("the other to be told", () -> otherTold.get() == 1);
        assertEquals(1, threads());
        second.source().close();
        other.close();
        Deadline.until("the thread to end", () -> threads() == 0);
        Pipe third = pipe(channel);
        assertFalse(channel.notifyOnce(told::incrementAndGet), "a socket was closed");
        channel.await(0);
        assertTrue(channel.notifyOnce(told::incrementAndGet), "another begins");
        write(third);
        Deadline.until("the owner to be told", () -> told.get() == 1);
    }
}
