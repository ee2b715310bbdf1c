package org.jvrpc.tools.watch.rperf;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jvrpc.watch.rperf.PairEngine;

/** One line on a terminal that says how far a measurement is, once a second; nothing where there is no terminal. */
final class Progress implements BooleanSupplier {

    private static final long EACH_NS = 1_000_000_000L;

    private final PrintWriter err;
    private final PairEngine engine;
    private final String what;
    private final boolean shows = System.console() != null;
    private long lastNs = System.nanoTime();
    private boolean wrote;

    Progress(PrintWriter err, PairEngine engine, String what) {
        this.err = err;
        this.engine = engine;
        this.what = what;
    }

    @Override
    public boolean getAsBoolean() {
        long nowNs = System.nanoTime();
        if (shows && nowNs - lastNs >= EACH_NS) {
            lastNs = nowNs;
            wrote = true;
            err.printf(Locale.ROOT, "\r%s: %,d pairs ", what, engine.pairs());
            err.flush();
        }
        return !Thread.currentThread().isInterrupted();
    }

    void end() {
        if (wrote) {
            err.print("\r\033[K");
            err.flush();
        }
    }
}
