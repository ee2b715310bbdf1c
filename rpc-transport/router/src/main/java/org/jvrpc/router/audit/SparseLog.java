package org.jvrpc.router.audit;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A class's log of what tenants, other hosts and strangers cause: a few lines a second of one kind and one of them, and
 * one that says how many more there were. So nobody fills a disk, or hides another's lines among its own. What has to
 * be kept is in the {@link AuditLog}. Any thread.
 */
public final class SparseLog {

    /** The most lines of one kind and one party in a second. */
    static final int MOST = 3;
    /** The most kinds and parties of a second; those beyond are one party. */
    static final int MOST_PARTIES = 1_024;
    private static final long SECOND_NS = 1_000_000_000;
    private static final String OTHERS = "others";

    private final Logger log;
    private final LongSupplier clock;
    private final Executor later;
    private final Map<Line, Window> windows = new HashMap<>();

    private long sweptNs;

    private record Line(String format, Object whose) { }

    /** Guarded by the log. */
    private static final class Window {
        final long startNs;
        int lines;

        Window(long startNs) {
            this.startNs = startNs;
        }
    }

    SparseLog(Logger log, LongSupplier clock, Executor later) {
        this.log = log;
        this.clock = clock;
        this.later = later;
        this.sweptNs = clock.getAsLong();
    }

    /** Returns the log of a class. */
    public static SparseLog of(Class<?> type) {
        return new SparseLog(LoggerFactory.getLogger(type), System::nanoTime,
                CompletableFuture.delayedExecutor(SECOND_NS, TimeUnit.NANOSECONDS));
    }

    /** @param whose tenant or host that can cause it, by equals @param format of one kind */
    public void debug(Object whose, String format, Object... arguments) {
        write(Level.DEBUG, whose, format, arguments);
    }

    /** As {@link #debug}. */
    public void info(Object whose, String format, Object... arguments) {
        write(Level.INFO, whose, format, arguments);
    }

    /** As {@link #debug}. */
    public void warn(Object whose, String format, Object... arguments) {
        write(Level.WARN, whose, format, arguments);
    }

    /** As {@link #debug}. */
    public void error(Object whose, String format, Object... arguments) {
        write(Level.ERROR, whose, format, arguments);
    }

    private void write(Level level, Object whose, String format, Object... arguments) {
        if (log.isEnabledForLevel(level) && counts(level, whose, format)) {
            log.atLevel(level).log(format, arguments);
        }
    }

    /** Tells whether there is room for a line in its second. */
    private synchronized boolean counts(Level level, Object whose, String format) {
        long nowNs = clock.getAsLong();
        Line line = new Line(format, whose);
        Window window = windows.get(line);
        if (window == null && windows.size() >= MOST_PARTIES) {
            sweep(nowNs);
            line = windows.size() < MOST_PARTIES ? line : new Line(format, OTHERS);
            window = windows.get(line);
        }
        if (window == null || window.lines <= MOST && nowNs - window.startNs >= SECOND_NS) {
            window = new Window(nowNs);
            windows.put(line, window);
        }
        if (++window.lines == MOST + 1) {
            Line told = line;
            later.execute(() -> tellMore(level, told)); // its second is over then
        }
        return window.lines <= MOST;
    }

    /** Forgets those whose second is over, once a second. */
    private void sweep(long nowNs) {
        if (nowNs - sweptNs >= SECOND_NS) {
            sweptNs = nowNs;
            windows.values().removeIf(one -> one.lines <= MOST && nowNs - one.startNs >= SECOND_NS);
        }
    }

    /** Returns how many kinds and parties are counted. */
    synchronized int parties() {
        return windows.size();
    }

    private void tellMore(Level level, Line line) {
        int more;
        synchronized (this) {
            more = windows.remove(line).lines - MOST;
        }
        log.atLevel(level).log("of {}: {} more lines in a second as this one: {}", line.whose(), more, line.format());
    }
}
