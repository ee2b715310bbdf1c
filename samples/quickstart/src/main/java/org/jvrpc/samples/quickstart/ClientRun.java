package org.jvrpc.samples.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;

/**
 * The client: connects, lets traders call for some time, shows how it goes, prints the table. {@link #run} belongs to
 * one thread, which prints; {@link #stop} to any.
 */
final class ClientRun {

    private static final long LIVE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PLAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_MS = 3_000;
    private static final int WRONG_SHOWN = 5;
    private static final long INSTRUMENTS_PER_TRADER = 1L << 20;

    /** Longer than usual: a server that was just started, on a busy or an emulated host, answers late. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private final PrintStream out;
    private final boolean live;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicLong wrong = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();

    /** Makes one; {@code live} lets the progress line overwrite itself, as a terminal can. */
    ClientRun(PrintStream out, boolean live) {
        this.out = out;
        this.live = live;
    }

    /** Ends the run early. */
    void stop() {
        stop.countDown();
    }

    /** How it went. */
    record Result(Tally tally, long wrong, boolean connected, int stuck) {

        /** Returns true when every answer came and was right. */
        boolean isClean() {
            return wrong == 0 && stuck == 0 && connected && tally.errors() == 0;
        }
    }

    /**
     * Runs.
     *
     * @param ended returns null, or why it makes no sense to go on
     * @throws org.jvrpc.api.RpcException when it cannot connect
     */
    Result run(String address, IdleStrategy idle, int traders, int seconds, Supplier<String> ended)
            throws InterruptedException {
        try (RpcClient client = RpcClient.builder(address).idle(idle).connectTimeout(CONNECT_LIMIT).connect()) {
            Orders orders = client.stub(Orders.class);
            List<CallLog> logs = new ArrayList<>();
            for (int i = 0; i < traders; i++) {
                CallLog log = new CallLog();
                logs.add(log);
                start(orders, log, i);
            }
            Tally tally = new Tally(logs);
            double measured = watch(client, tally, TimeUnit.SECONDS.toNanos(seconds), ended);
            stop.countDown();
            int stuck = join();
            boolean connected = client.isConnected();
            tally.look();
            out.printf("%n%s%n", Text.table(tally));
            Result result = new Result(tally, wrong.get(), connected, stuck);
            conclude(result, measured);
            return result;
        }
    }

    private void start(Orders orders, CallLog log, int index) {
        long pid = ProcessHandle.current().pid();
        long instrument = (pid * 1000 + index) * INSTRUMENTS_PER_TRADER;
        Trader trader = new Trader(orders, log, pid + "." + index, instrument, () -> stop.getCount() == 0, this::wrong);
        Thread thread = new Thread(trader, "trader-" + index);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private void wrong(String message) {
        long number = wrong.incrementAndGet();
        if (number <= WRONG_SHOWN) {
            System.err.println((live ? "\n" : "") + "quickstart: wrong answer: " + message);
        }
    }

    /** Shows progress until the time is over; returns the seconds that the table is about. */
    private double watch(RpcClient client, Tally tally, long runNs, Supplier<String> ended)
            throws InterruptedException {
        long stepNs = live ? LIVE_NS : PLAIN_NS;
        WarmUp warmUp = new WarmUp(runNs);
        long begunNs = System.nanoTime();
        long fromNs = begunNs;
        long lastNs = begunNs;
        boolean warm = false;
        while (lastNs - begunNs < runNs && ended.get() == null) {
            long limitNs = warm ? runNs : warmUp.mostNs();
            stop.await(Math.min(stepNs, limitNs - (lastNs - begunNs)), TimeUnit.NANOSECONDS);
            long nowNs = System.nanoTime();
            tally.look();
            show(Text.progress((nowNs - begunNs) / 1e9, tally.calls() * 1e9 / Math.max(1, nowNs - lastNs), tally,
                    (warm ? "" : "   warming up") + (client.isConnected() ? "" : "   no connection")));
            lastNs = nowNs;
            if (stop.getCount() == 0) {
                break;
            }
            if (!warm && warmUp.isOver(nowNs - begunNs, tally.answered().getValueAtPercentile(50))) {
                warm = true;
                fromNs = nowNs;
                tally.forget();
            }
        }
        return (lastNs - fromNs) / 1e9;
    }

    private void show(String line) {
        out.print(live ? "\r\033[K" + line : line + System.lineSeparator());
        out.flush();
    }

    /** Returns the number of traders that hang in a call. */
    private int join() throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MS);
        int stuck = 0;
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
            stuck += thread.isAlive() ? 1 : 0;
        }
        return stuck;
    }

    private void conclude(Result result, double measured) {
        long calls = 0;
        for (Call call : Call.values()) {
            calls += result.tally.of(call).getTotalCount();
        }
        out.printf(Locale.ROOT, "%s calls in %.1f s: %s calls/s. Every answer was checked, %s wrong.%n",
                Text.count(calls), measured, Text.count(Math.round(calls / Math.max(measured, 1e-3))),
                result.wrong == 0 ? "none was" : result.wrong == 1 ? "1 was" : Text.count(result.wrong) + " were");
        if (result.tally.errors() > 0) {
            out.printf("Failed calls: %s.%n", Text.statuses(result.tally.statuses()));
        }
        if (!result.connected) {
            out.println("At the end there was no connection.");
        }
        if (result.stuck > 0) {
            out.printf("At the end %d of the client's threads still waited for an answer.%n", result.stuck);
        }
    }
}
