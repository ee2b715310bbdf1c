package org.jvrpc.tcp.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.verbs.VerbsException;

/** Where a thread waits for its streams. */
public final class StreamEvents implements Events, AutoCloseable {

    private static final long MILLI_NS = 1_000_000;
    private static final int FEW = 4;
    private static final long LOOK_NS = 20_000;

    /** Something that is waited for. */
    public interface Ready {

        /** It can be read, or written where that was asked for. The thread that waits; returns at once. */
        void ready();
    }

    /** A set of ready keys would be garbage at each wait. */
    private final Consumer<SelectionKey> handler = key -> {
        if (key.attachment() instanceof Ready ready) {
            ready.ready();
        }
    };
    private final Selector selector;
    private final AtomicInteger count = new AtomicInteger();
    private long lookedNs;
    /** The next wait is none. */
    private volatile boolean again;

    /** @throws VerbsException when there are no descriptors */
    public StreamEvents() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new VerbsException("create_channel", "no selector: " + e.getMessage(), e);
        }
    }

    /** Has a channel that does not block end waits. Any thread. */
    public SelectionKey register(SelectableChannel channel, int interest, Ready ready) throws IOException {
        count.incrementAndGet();
        return channel.register(selector, interest, ready);
    }

    /** A channel that was registered is closed. Any thread. */
    void forget() {
        count.decrementAndGet();
        selector.wakeup();
    }

    /** Has a channel end waits no longer. Any thread. */
    public void forget(SelectionKey key) {
        key.cancel();
        forget();
    }

    /** Returns true where it costs less to ask which of them have something than to read each. */
    boolean isCrowded() {
        return count.get() > FEW;
    }

    /** Looks which have something, unless somebody did just now; true when it looked. The thread that waits. */
    boolean look(Clock clock) {
        long nowNs = clock.nanoTime();
        if (nowNs - lookedNs < LOOK_NS) {
            return false;
        }
        await(0);
        lookedNs = nowNs;
        return true;
    }

    @Override
    public void await(long timeoutNs) {
        try {
            if (timeoutNs <= 0) {
                selector.selectNow(handler);
            } else if (again) {
                again = false;
                selector.selectNow(handler);
            } else {
                selector.select(handler, Math.max(1, timeoutNs / MILLI_NS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClosedSelectorException e) {
            return; // nobody waits for anything any more
        }
    }

    /**
     * Somebody looked as long as one may and is to look once more before anybody waits: what a wire has read already
     * wakes nobody. Returns false. Any thread.
     */
    boolean again() {
        again = true;
        selector.wakeup();
        return false;
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
