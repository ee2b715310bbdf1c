package org.jvrpc.watch.rperf.verbs;

import java.util.concurrent.TimeUnit;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.watch.rperf.PairEngine;
import org.jvrpc.watch.rperf.PairLoop;
import org.jvrpc.watch.rperf.RperfResult;
import org.jvrpc.watch.rperf.control.Measurement;
import org.jvrpc.watch.rperf.control.Order;

/** A measurement over verbs that somebody else asked for, on a thread of its own. Any thread. */
public final class VerbsMeasurement implements Measurement {

    private static final long END_S = 30;

    private final VerbsPairs pairs;
    private final PairEngine engine;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile long seen;
    private volatile RperfResult result;
    private boolean started;

    private VerbsMeasurement(VerbsPairs pairs, Order order) {
        this.pairs = pairs;
        engine = new PairEngine(pairs, order.pattern(), order.warmUpNs(), order.durationNs());
        thread = new Thread(this::run, "rperf-measure");
        thread.setDaemon(true);
    }

    /** Connects. @throws org.jvrpc.verbs.VerbsException when that fails */
    public static VerbsMeasurement prepare(Order order) {
        VerbsPairs pairs = VerbsPairs.open(new VerbsPairs.Plan(order.to(), order.qps(), order.pattern().outstanding(),
                order.pattern().bytes(), order.loopback(),
                order.levels().stream().map(ServiceClass::ofLevel).toList()));
        try {
            return new VerbsMeasurement(pairs, order);
        } catch (RuntimeException | Error e) {
            pairs.close();
            throw e;
        }
    }

    private void run() {
        try {
            PairLoop.run(engine, pairs, () -> {
                seen = engine.pairs();
                return !stopped;
            });
        } finally {
            result = engine.result("");
        }
    }

    @Override
    public synchronized void start() {
        started = true;
        thread.start();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public long pairs() {
        return seen;
    }

    @Override
    public RperfResult result() {
        return result;
    }

    @Override
    public synchronized void close() {
        stopped = true;
        if (started) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(END_S));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                return; // its device is still in use
            }
        }
        pairs.close();
    }
}
