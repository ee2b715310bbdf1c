package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event channel over a selector. One thread waits, any thread wakes it. */
final class ShmChannel implements EventChannel {

    private static final Logger LOG = LoggerFactory.getLogger(ShmChannel.class);
    private static final long SWEEP_INTERVAL_NS = 50_000_000;
    private static final int SWEEP_TRIES = 60;

    private final Selector selector;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Set<Handler> timed = ConcurrentHashMap.newKeySet();
    private final Map<Path, Integer> sweeps = new ConcurrentHashMap<>();
    private long nextSweepNs;

    /** What happens when a socket is ready. */
    interface Handler {

        /** Handles readiness; returns true when it is an event for who waits. */
        boolean ready();

        /** Looks at the time, while {@link ShmChannel#watch} asks for it. */
        default void tick(long nowNs) {
        }

        /** Returns the longest time between two ticks, in nanoseconds. */
        default long intervalNs() {
            return SWEEP_INTERVAL_NS;
        }
    }

    ShmChannel() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new VerbsException("create_comp_channel", "no selector: " + e, e);
        }
    }

    SelectionKey register(SelectableChannel socket, int operations, Handler handler) throws IOException {
        try {
            SelectionKey key = socket.register(selector, operations, handler);
            selector.wakeup();
            return key;
        } catch (ClosedSelectorException e) {
            throw new IOException("event channel is closed", e);
        }
    }

    /** Has a handler told the time with each wait, also with one that goes on already. */
    void watch(Handler handler) {
        if (timed.add(handler)) {
            selector.wakeup();
        }
    }

    void unwatch(Handler handler) {
        timed.remove(handler);
    }

    /** Has a device's folder removed once its process is dead, which the kernel may still be at. */
    void sweepLater(Path device) {
        sweeps.put(device, 0);
    }

    @Override
    public boolean await(long timeoutNs) {
        if (timeoutNs <= 0) {
            return look(0);
        }
        long startNs = System.nanoTime();
        long leftNs = timeoutNs;
        while (leftNs > 0) {
            if (look(Math.min(leftNs, intervalNs()))) {
                return true;
            }
            if (Thread.currentThread().isInterrupted()) {
                return false; // the selector does not wait any more
            }
            leftNs = timeoutNs - (System.nanoTime() - startNs);
        }
        return false;
    }

    private long intervalNs() {
        long intervalNs = sweeps.isEmpty() ? Long.MAX_VALUE : SWEEP_INTERVAL_NS;
        for (Handler handler : timed) {
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
        }
        chores();
        return woken.getAndSet(false) | event[0];
    }

    private static boolean handle(SelectionKey key) {
        return ((Handler) key.attachment()).ready();
    }

    private void chores() {
        if (timed.isEmpty() && sweeps.isEmpty()) {
            return;
        }
        long nowNs = System.nanoTime();
        for (Handler handler : timed) {
            handler.tick(nowNs);
        }
        if (nowNs - nextSweepNs >= 0) {
            nextSweepNs = nowNs + SWEEP_INTERVAL_NS;
            for (Iterator<Map.Entry<Path, Integer>> it = sweeps.entrySet().iterator(); it.hasNext();) {
                Map.Entry<Path, Integer> entry = it.next();
                Path device = entry.getKey();
                boolean gone = ShmDirectory.sweepDevice(device) || !Files.exists(device);
                if (gone || entry.getValue() >= SWEEP_TRIES) {
                    it.remove();
                } else {
                    entry.setValue(entry.getValue() + 1);
                }
            }
        }
    }

    @Override
    public void wakeup() {
        if (!woken.getAndSet(true)) {
            selector.wakeup();
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("closing a selector: {}", e.toString());
        }
    }
}
