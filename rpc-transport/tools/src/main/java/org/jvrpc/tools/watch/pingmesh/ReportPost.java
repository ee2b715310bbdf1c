package org.jvrpc.tools.watch.pingmesh;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.ReportSink;

/**
 * Posts reports to a collector, in order, by a thread of its own. While the collector is gone it keeps the newest
 * {@value #MOST_WAITING} and asks again and again, less and less often. {@link #accept} belongs to one thread, {@link
 * #close} to any.
 */
final class ReportPost implements ReportSink, AutoCloseable {

    static final int MOST_WAITING = 32;

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long FIRST_PAUSE_MS = 500;
    private static final long MOST_PAUSE_MS = 15_000;

    private final URI to;
    private final ProbeSeal seal;
    private final Consumer<String> trouble;
    private final Duration limit;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build();
    private final Thread thread = new Thread(this::run, "jvrpc-report");
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(); // this and what follows is under the lock of this
    private long dropped;
    private long taken;
    private boolean closed;
    private String told; // the thread's

    /**
     * Begins.
     *
     * @param collector for instance {@code http://10.0.0.1:9099}
     * @param trouble told once of each reason why a report could not be given, and with null when all is well again
     * @throws IllegalArgumentException for a URL that is none
     */
    ReportPost(String collector, ProbeSeal seal, Consumer<String> trouble) {
        this(collector, seal, trouble, ANSWER);
    }

    /** @param limit of a post, with all of its answer */
    ReportPost(String collector, ProbeSeal seal, Consumer<String> trouble, Duration limit) {
        URI base = URI.create(collector);
        if (!"http".equals(base.getScheme()) && !"https".equals(base.getScheme()) || base.getHost() == null) {
            throw new IllegalArgumentException("a collector is http://host:port, not " + collector);
        }
        this.to = base.resolve("/report");
        this.seal = seal;
        this.trouble = trouble;
        this.limit = limit;
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues one; the oldest goes when there is no room. */
    @Override
    public void accept(Report report) {
        byte[] bytes = ReportLayout.write(report, seal);
        synchronized (this) {
            if (waiting.size() == MOST_WAITING) {
                waiting.poll();
                dropped++;
            }
            waiting.add(bytes);
            notifyAll();
        }
    }

    /** Returns how many reports found no room. */
    synchronized long dropped() {
        return dropped;
    }

    /** Returns how many reports the collector took. */
    synchronized long taken() {
        return taken;
    }

    private void run() {
        try {
            long pauseMs = 0;
            while (true) {
                byte[] next = next(pauseMs);
                if (next == null) {
                    return;
                }
                boolean done = post(next);
                pauseMs = done ? 0 : Math.min(MOST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
                if (done) {
                    remove(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** Returns the oldest one, which stays, after a pause; null when it is closed. */
    private synchronized byte[] next(long pauseMs) throws InterruptedException {
        long until = System.nanoTime() + pauseMs * 1_000_000;
        for (long leftNs = until - System.nanoTime(); !closed && leftNs > 0; leftNs = until - System.nanoTime()) {
            wait(leftNs / 1_000_000 + 1);
        }
        while (!closed && waiting.isEmpty()) {
            wait();
        }
        return waiting.isEmpty() || closed && pauseMs > 0 ? null : waiting.peek();
    }

    private synchronized void remove(byte[] report) {
        if (waiting.peek() == report) {
            waiting.poll();
        }
    }

    /** Gives a report, for the limit at most. @return false when it should be tried again */
    private boolean post(byte[] report) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> asked = client.sendAsync(HttpRequest.newBuilder(to)
                .header("Content-Type", "application/octet-stream").POST(BodyPublishers.ofByteArray(report)).build(),
                info -> new FirstBytes());
        try {
            HttpResponse<String> answer = asked.get(limit.toNanos(), TimeUnit.NANOSECONDS); // its body as well
            if (answer.statusCode() / 100 == 2) {
                tell(null);
                synchronized (this) {
                    taken++;
                }
                return true;
            }
            tell("collector " + to + " answers " + answer.statusCode() + ": "
                    + answer.body().strip().replaceAll("\\p{Cntrl}", " "));
            return answer.statusCode() / 100 == 4 && answer.statusCode() != 429; // it would not take it later either
        } catch (ExecutionException e) {
            tell("collector " + to + " cannot be reached: " + e.getCause());
            return false;
        } catch (TimeoutException e) {
            tell("collector " + to + " has not answered within " + limit.toMillis() + " ms");
            return false;
        } finally {
            asked.cancel(true); // what still comes is nobody's
        }
    }

    private void tell(String why) {
        if (why == null ? told != null : !why.equals(told)) {
            told = why;
            trouble.accept(why);
        }
    }

    /** Gives what is left if the collector is there, for a second at most. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(1_000);
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
