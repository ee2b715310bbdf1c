package org.jvrpc.runtime.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams of a session that have something to tell their users. Any thread. */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    private static final int BATCH = 16;

    private final long id;
    private final StreamPoller poller;
    private final Queue<Stream> signals = new ConcurrentLinkedQueue<>();

    private volatile boolean left;

    Signals(long id, StreamPoller poller) {
        this.id = id;
        this.poller = poller;
    }

    /** The thread that polls for all looks after them no more. */
    void leave() {
        left = true;
        runAll();
    }

    /** A stream has something to tell its user. Any thread. */
    void signal(Stream stream) {
        if (stream.signals.getAndIncrement() != 0) {
            return; // whoever tells finds it
        }
        Executor executor = stream.executor();
        if (executor != null) {
            try {
                executor.execute(() -> runSignalled(stream));
                return;
            } catch (RejectedExecutionException e) {
                // then by this thread's, as it is about the end
                LOG.debug("session {}: the executor takes no more", id);
            }
        }
        signals.add(stream);
        if (left || poller.hasEnded()) {
            runAll(); // nobody else does
        } else {
            poller.nudge();
        }
    }

    private static void runSignalled(Stream stream) {
        int seen = stream.signals.get();
        do {
            try {
                stream.run();
            } catch (Throwable t) { // others go on
                LOG.error("a stream's user failed", t);
            }
            seen = stream.signals.addAndGet(-seen);
        } while (seen != 0);
    }

    /** Tells users what came. The thread that polls for all. */
    int run() {
        int work = 0;
        for (Stream next = signals.poll(); next != null && work < BATCH; next = work < BATCH
                ? signals.poll() : null) {
            work++;
            runSignalled(next);
        }
        return work;
    }

    boolean areThere() {
        return !signals.isEmpty();
    }

    /** Tells users all that there is to tell. The thread that polls for all, at its end, or anybody behind that. */
    void runAll() {
        while (run() > 0) {
            Thread.onSpinWait();
        }
    }
}
