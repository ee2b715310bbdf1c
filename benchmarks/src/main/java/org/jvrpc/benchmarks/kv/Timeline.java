package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.benchmarks.harness.Pipeline;

/**
 * Gets one after the other, counted millisecond by millisecond, with those that failed or found nothing and the longest
 * time without a value; of that, the most that the reader had the processor for, which leaves out what the scheduler
 * gave to others. The file of {@link #PROPERTY} has the begin, in nanoseconds of the machine's monotonic clock, then a
 * line for each millisecond.
 */
final class Timeline implements Pipeline {

    /** The system property that names the file. */
    static final String PROPERTY = "jvrpc.bench.timeline";

    private static final long BIN_NS = 1_000_000;
    private static final long PAUSE_NS = 50_000;
    /** How often the processor time is noted: shorter times without a value are not looked into. */
    private static final long NOTE_NS = 100_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final KvGet get;
    private int[] found;
    private int[] missed;
    private int[] failed;
    private long[] gapNs;
    private long[] ranNs;

    Timeline(KvGet get) {
        this.get = get;
    }

    @Override
    public long run(int window, long endNs) throws Exception {
        long begunNs = System.nanoTime();
        int bins = (int) ((endNs - begunNs) / BIN_NS) + 1;
        found = new int[bins];
        missed = new int[bins];
        failed = new int[bins];
        gapNs = new long[bins];
        ranNs = new long[bins];
        long answers = 0;
        long lastNs = begunNs;
        long notedNs = begunNs;
        long notedCpuNs = threads.getCurrentThreadCpuTime();
        while (true) {
            boolean answered = once();
            long nowNs = System.nanoTime();
            if (nowNs >= endNs) {
                break;
            }
            int bin = (int) ((nowNs - begunNs) / BIN_NS);
            if (!answered) {
                failed[bin]++;
                LockSupport.parkNanos(PAUSE_NS);
                continue;
            }
            if (get.missed()) {
                missed[bin]++;
            } else {
                get.after();
                found[bin]++;
                gapNs[bin] = Math.max(gapNs[bin], nowNs - lastNs);
                if (nowNs - notedNs > NOTE_NS) {
                    long cpuNs = threads.getCurrentThreadCpuTime();
                    if (nowNs - lastNs > NOTE_NS) {
                        ranNs[bin] = Math.max(ranNs[bin], Math.min(nowNs - lastNs, cpuNs - notedCpuNs));
                    }
                    notedNs = nowNs;
                    notedCpuNs = cpuNs;
                }
                lastNs = nowNs;
                answers++;
            }
        }
        write(Path.of(System.getProperty(PROPERTY)), begunNs);
        return answers;
    }

    private boolean once() throws Exception {
        get.before();
        try {
            get.call();
            return true;
        } catch (IOException | RpcException e) {
            return false;
        }
    }

    private void write(Path file, long begunNs) throws IOException {
        StringBuilder text = new StringBuilder().append(begunNs).append('\n');
        for (int i = 0; i < found.length; i++) {
            text.append(found[i]).append(' ').append(missed[i]).append(' ').append(failed[i]).append(' ')
                    .append(gapNs[i]).append(' ').append(ranNs[i]).append('\n');
        }
        Files.writeString(file, text);
    }
}
