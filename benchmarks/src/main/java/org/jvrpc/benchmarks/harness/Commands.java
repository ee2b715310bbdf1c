package org.jvrpc.benchmarks.harness;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** What a client process does for each line of its input. */
final class Commands {

    private final ClientEnd end;
    private final String address;
    private final PrintStream log;
    private final Map<String, Operation> operations = new HashMap<>();
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "pipeline");
        thread.setDaemon(true);
        return thread;
    });

    Commands(ClientEnd end, String address, PrintStream log) {
        this.end = end;
        this.address = address;
        this.log = log;
    }

    /** Executes one command and returns the line to answer. */
    String execute(String line) {
        String[] words = line.split(" ");
        try {
            return "OK " + switch (words[0]) {
                case "latency" -> latency(words[1], number(words[2]), number(words[3]), number(words[4]));
                case "slices" -> Slices.measure(operation(words[1]), number(words[2])).text();
                case "batches" -> batches(words[1], number(words[2]), (int) number(words[3]));
                case "paced" -> paced(words[1], number(words[2]), (int) number(words[3]));
                case "compiled" -> Compiled.ms();
                case "heap" -> Memory.heap();
                case "connect" -> connect(number(words[1]));
                case "allocated" -> allocated(words[1], number(words[2]));
                case "pipeline" -> pipeline((int) number(words[1]), (int) number(words[2]), number(words[3]));
                default -> throw new IllegalArgumentException("unknown command=" + line);
            };
        } catch (Exception | LinkageError | AssertionError e) {
            e.printStackTrace(log);
            return failure(e);
        }
    }

    /** Returns the line that reports an exception, with its causes. */
    static String failure(Throwable thrown) {
        StringBuilder text = new StringBuilder("FAIL ").append(thrown);
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            text.append(", caused by ").append(cause);
        }
        return text.toString().replace('\n', ' ').replace('\r', ' ');
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }

    private Operation operation(String workload) throws Exception {
        Operation operation = operations.get(workload);
        if (operation == null) {
            operation = end.operation(Workload.parse(workload));
            operations.put(workload, operation);
        }
        return operation;
    }

    private String latency(String workload, long settleNs, long durationNs, long maxSamples) throws Exception {
        Operation operation = operation(workload);
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.settle(operation, settleNs);
        LatencyLoop.run(operation, durationNs, maxSamples, histogram);
        return encode(histogram);
    }

    private String batches(String workload, long durationNs, int calls) throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.batches(operation(workload), durationNs, calls, histogram);
        return encode(histogram);
    }

    private String paced(String workload, long durationNs, int rate) throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.paced(operation(workload), durationNs, rate, histogram);
        return encode(histogram);
    }

    private String allocated(String workload, long calls) throws Exception {
        Operation operation = operation(workload);
        Histogram histogram = LatencyLoop.histogram();
        long othersBefore = Allocated.byOtherThreads();
        long before = Allocated.byThisThread();
        LatencyLoop.run(operation, Long.MAX_VALUE / 2, calls, histogram);
        long own = Allocated.byThisThread() - before;
        return Long.toString(own + Allocated.byOtherThreads() - othersBefore);
    }

    private String connect(long durationNs) throws Exception {
        Operation operation = end.connecting(address);
        Histogram histogram = LatencyLoop.histogram();
        LatencyLoop.run(operation, durationNs, Long.MAX_VALUE, histogram);
        return encode(histogram);
    }

    private String pipeline(int threadCount, int window, long durationNs) throws Exception {
        while (pipelines.size() < threadCount) {
            pipelines.add(end.pipeline());
        }
        if (threadCount == 1) {
            return Double.toString(rate(pipelines.get(0), window, durationNs));
        }
        List<Future<Double>> rates = new ArrayList<>();
        for (Pipeline pipeline : pipelines.subList(0, threadCount)) {
            rates.add(threads.submit(() -> rate(pipeline, window, durationNs)));
        }
        double sum = 0;
        for (Future<Double> rate : rates) {
            sum += rate.get();
        }
        return Double.toString(sum);
    }

    private static double rate(Pipeline pipeline, int window, long durationNs) throws Exception {
        long start = System.nanoTime();
        long calls = pipeline.run(window, start + durationNs);
        return calls * 1e9 / (System.nanoTime() - start);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
