package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jvrpc.softrnic.queue.Timed;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event channel over a selector. One thread waits, any thread wakes it. */
public final class ShmChannel implements EventChannel {

    private static final Logger LOG = LoggerFactory.getLogger(ShmChannel.class);
    private static final long ATTEMPT_INTERVAL_NS = 50_000_000;
    private static final int TRIES = 60;

    private final LongSupplier clock;
    private final Consumer<ShmChannel> closed;
    private final Selector selector;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Set<Timed> timed = ConcurrentHashMap.newKeySet();
    private final Map<Attempt, Integer> attempts = new ConcurrentHashMap<>();
    /** Those who left something for later. Who waits. */
    private final List<Handler> late = new ArrayList<>();
    private long nextAttemptNs;
    /** Who is told of the next event, as nobody waits; null while somebody does. */
    private final AtomicReference<Runnable> owner = new AtomicReference<>();
    /** Where the sockets are waited for meanwhile; null if they never were. */
    private volatile SharedSelector shared;

    /** What happens when a socket is ready. */
    interface Handler extends Timed {

        /** Handles readiness; returns true when it is an event for who waits. */
        boolean ready();

        /** Does what {@link #ready} left for later, before the next wait; true when it is an event for who waits. */
        default boolean readLate() {
            return false;
        }

        /** Looks whether the peer's memory is still there: some peer's is not. */
        default void suspect() {
        }

        @Override
        default void tick(long nowNs) {
        }

        @Override
        default long intervalNs() {
            return ATTEMPT_INTERVAL_NS;
        }
    }

    /** What may have to be tried again, for some seconds. */
    interface Attempt {

        /** Returns true when it is done; {@code last} when it will not be tried again. */
        boolean isDone(boolean last);
    }

    /**
     * @param clock monotonic, in nanoseconds
     * @param closed told when it is closed
     */
    public ShmChannel(LongSupplier clock, Consumer<ShmChannel> closed) {
        this.clock = clock;
        this.closed = closed;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new VerbsException("create_comp_channel", "no selector: " + e, e);
        }
    }

    SelectionKey register(SelectableChannel socket, int operations, Handler handler) throws IOException {
        try {
            SelectionKey key = socket.register(selector, operations, handler);
            interrupt();
            return key;
        } catch (ClosedSelectorException e) {
            throw new IOException("event channel is closed", e);
        }
    }

    LongSupplier clock() {
        return clock;
    }

    /** Has something told the time with each wait, also with one that goes on already. */
    public void watch(Timed handler) {
        if (timed.add(handler)) {
            interrupt();
        }
    }

    public void unwatch(Timed handler) {
        timed.remove(handler);
    }

    /** Tries something now and, until it is done, now and then. */
    void attempt(Attempt attempt) {
        if (attempt.isDone(false)) {
            return;
        }
        attempts.put(attempt, 1);
        if (selector.isOpen()) {
            interrupt();
        } else if (attempts.remove(attempt) != null) {
            attempt.isDone(true); // as in close()
        }
    }

    @Override
    public boolean await(long timeoutNs) {
        if (owner.get() != null) {
            stopTelling();
        }
        if (timeoutNs <= 0) {
            return look(0);
        }
        if (readLate()) {
            return true;
        }
        long startNs = clock.getAsLong();
        long leftNs = timeoutNs;
        while (leftNs > 0) {
            if (look(Math.min(leftNs, intervalNs()))) {
                return true;
            }
            if (Thread.currentThread().isInterrupted()) {
                return false; // the selector does not wait any more
            }
            leftNs = timeoutNs - (clock.getAsLong() - startNs);
        }
        return false;
    }

    /** Has something done before the next wait, which it would end at once. Who waits. */
    void later(Handler handler) {
        late.add(handler);
    }

    private boolean readLate() {
        boolean event = false;
        for (int i = late.size() - 1; i >= 0; i--) {
            event |= late.remove(i).readLate();
        }
        return event;
    }

    private long intervalNs() {
        long intervalNs = attempts.isEmpty() ? Long.MAX_VALUE : ATTEMPT_INTERVAL_NS;
        for (Timed handler : timed) {
            intervalNs = Math.min(intervalNs, handler.intervalNs());
        }
        return intervalNs;
    }

    private boolean look(long timeoutNs) {
        boolean[] event = new boolean[1];
        try {
            if (timeoutNs <= 0 || woken.get()) {
                selector.selectNow(key -> event[0] |= handle(key));
            } else {
                selector.select(key -> event[0] |= handle(key), (timeoutNs - 1) / 1_000_000 + 1);
            }
        } catch (ClosedSelectorException e) {
            throw new IllegalStateException("event channel is closed", e);
        } catch (IOException e) {
            throw new VerbsException("get_cq_event", e.toString(), e);
        } catch (InternalError e) {
            // Compiled code that meets a page which a peer has truncated goes on; the thread is told when it next
            // enters the machine or comes back from it, which is most often here.
            LOG.warn("memory of some peer is gone: {}", e.toString());
            selector.keys().forEach(key -> ((Handler) key.attachment()).suspect());
        }
        chores();
        return woken.getAndSet(false) | event[0];
    }

    private static boolean handle(SelectionKey key) {
        return ((Handler) key.attachment()).ready();
    }

    private void chores() {
        if (timed.isEmpty() && attempts.isEmpty()) {
            return;
        }
        long nowNs = clock.getAsLong();
        for (Timed handler : timed) {
            handler.tick(nowNs);
        }
        if (nowNs - nextAttemptNs >= 0) {
            nextAttemptNs = nowNs + ATTEMPT_INTERVAL_NS;
            for (Map.Entry<Attempt, Integer> entry : attempts.entrySet()) {
                int tries = entry.getValue() + 1;
                if (entry.getKey().isDone(tries == TRIES) || tries == TRIES) {
                    attempts.remove(entry.getKey());
                } else {
                    entry.setValue(tries);
                }
            }
        }
    }

    @Override
    public void wakeup() {
        if (!woken.getAndSet(true)) {
            interrupt();
        } else if (owner.get() != null && shared != null && !shared.isCurrent()) {
            shared.call(this); // who woke it before found an owner that did not come
        }
    }

    /** Ends a wait, which goes on where there is nothing, or has the owner wait. */
    private void interrupt() {
        selector.wakeup();
        if (owner.get() != null && shared != null) {
            shared.call(this);
        }
    }

    @Override
    public boolean notifies() {
        return true;
    }

    @Override
    public boolean notifyOnce(Runnable told) {
        int sockets = selector.keys().size();
        if (readLate() || isCalled() || sockets == 0) {
            return false;
        }
        owner.set(told);
        try {
            shared = SharedSelector.watch(this, selector.keys());
            wakeForClosed();
        } catch (IOException | CancelledKeyException | ClosedSelectorException | OutOfMemoryError e) {
            LOG.debug("the owner of a channel waits itself: {}", e.toString());
            stopTelling();
            return false;
        }
        if (isCalled() || selector.keys().size() != sockets) { // by somebody who found no owner
            stopTelling();
            return false;
        }
        return true;
    }

    /** Whoever closed a socket before they could see who watches it told nobody, or one that watches no more. */
    private void wakeForClosed() {
        for (SelectionKey key : selector.keys()) {
            if (!key.channel().isOpen()) {
                shared.closed();
                return;
            }
        }
    }

    private boolean isCalled() {
        return woken.get() || !timed.isEmpty() || !attempts.isEmpty();
    }

    private void stopTelling() {
        owner.set(null);
        if (shared != null) {
            shared.unwatch(selector.keys());
        }
    }

    /** Tells the owner of an event, if it waits to be told, until it waits itself. The shared selector's thread. */
    void tellOwner() {
        Runnable told = owner.get();
        if (told != null) {
            told.run();
        }
    }

    /** A socket was closed. */
    void closed() {
        if (shared != null) {
            shared.closed();
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("closing a selector: {}", e.toString());
        }
        attempts.keySet().forEach(attempt -> attempt.isDone(true)); // nobody will try again here
        attempts.clear();
        timed.clear();
        owner.set(null);
        closed(); // sockets, too, before
        closed.accept(this);
    }
}
