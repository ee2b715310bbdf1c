package org.jvrpc.runtime.inproc;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.thread.Clock;

/** A client that wants a session, and what becomes of it: it is admitted, refused, or goes before that. Any thread. */
final class Arrival {

    private static final Object GONE = new Object();
    private static final long LOOK_NS = 10_000_000;

    private final Hello asked;
    private final InprocEvents events;
    private final KeyedBodies bodies;
    private final Thread waiter = Thread.currentThread();
    private final AtomicReference<Object> outcome = new AtomicReference<>();

    Arrival(Hello asked, InprocEvents events, KeyedBodies bodies) {
        this.asked = asked;
        this.events = events;
        this.bodies = bodies;
    }

    /** The client's side of a session. */
    record Admitted(Hello granted, Pair.Side side) { }

    /** A refusal, as {@link Hello#refuse} writes it. */
    record Refused(byte[] bytes) { }

    Hello asked() {
        return asked;
    }

    /** Returns where the client waits. */
    InprocEvents events() {
        return events;
    }

    /** Returns the client's long bodies. */
    KeyedBodies bodies() {
        return bodies;
    }

    /** Ends the wait; false when the client has gone. */
    boolean answer(Record what) {
        boolean first = outcome.compareAndSet(null, what);
        LockSupport.unpark(waiter);
        return first;
    }

    /** The client goes, whatever becomes of it. */
    void leave() {
        if (!outcome.compareAndSet(null, GONE) && outcome.get() instanceof Admitted admitted) {
            admitted.side().pair().end();
        }
    }

    /**
     * Waits for the answer. The client's thread.
     *
     * @return what became of it; null when time is over, or the thread is interrupted: then nothing becomes of it
     */
    Object await(Clock clock, long timeoutNs) {
        long startNs = clock.nanoTime();
        long leftNs = timeoutNs;
        while (outcome.get() == null && leftNs > 0 && !Thread.currentThread().isInterrupted()) {
            clock.parkNanos(this, Math.min(leftNs, LOOK_NS));
            leftNs = timeoutNs - (clock.nanoTime() - startNs);
        }
        return outcome.compareAndSet(null, GONE) ? null : outcome.get();
    }
}
