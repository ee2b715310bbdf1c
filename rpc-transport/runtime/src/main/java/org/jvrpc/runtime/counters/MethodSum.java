package org.jvrpc.runtime.counters;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Comparator;

/** The blocks of a method, added up. One thread. */
final class MethodSum {

    static final Comparator<MethodCounters> ORDER =
            Comparator.comparing(MethodCounters::service).thenComparing(MethodCounters::method);

    private final String service;
    private final String method;
    private final long[] failures = new long[CounterLayout.STATUSES];
    private final long[] buckets = new long[LatencyBuckets.COUNT];
    private long succeeded;
    private long begun;
    private long thrown;
    private long bytesIn;
    private long bytesOut;
    private long totalNs;

    MethodSum(ByteBuffer memory, int at, int length) {
        service = CounterMemory.text(memory, at + CounterLayout.SERVICE, CounterLayout.SERVICE_BYTES);
        method = CounterMemory.text(memory, at + CounterLayout.METHOD_NAME, CounterLayout.METHOD_NAME_BYTES);
        succeeded = CounterMemory.get(memory, at + CounterLayout.SUCCEEDED);
        VarHandle.loadLoadFence(); // of those that ended nearly all are among those that began: see SessionParts
        begun = CounterMemory.get(memory, at + CounterLayout.BEGUN);
        thrown = CounterMemory.get(memory, at + CounterLayout.THROWN);
        bytesIn = CounterMemory.get(memory, at + CounterLayout.BYTES_IN);
        bytesOut = CounterMemory.get(memory, at + CounterLayout.BYTES_OUT);
        totalNs = CounterMemory.get(memory, at + CounterLayout.TOTAL_NS);
        read(memory, at + CounterLayout.FAILURES, failures);
        succeeded += failures[0];
        failures[0] = 0;
        if (length >= CounterLayout.METHOD_BYTES) {
            read(memory, at + CounterLayout.HISTOGRAM, buckets);
        }
    }

    private static void read(ByteBuffer memory, int at, long[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = CounterMemory.get(memory, at + i * Long.BYTES);
        }
    }

    String key() {
        return service + "/" + method;
    }

    /** Adds what the method has of a session's first counters to them. */
    void addTo(long[] session) {
        session[0] += succeeded;
        session[1] += begun;
        session[2] += bytesIn;
        session[3] += bytesOut;
    }

    MethodSum plus(MethodSum other) {
        succeeded += other.succeeded;
        thrown += other.thrown;
        bytesIn += other.bytesIn;
        bytesOut += other.bytesOut;
        totalNs += other.totalNs;
        add(failures, other.failures);
        add(buckets, other.buckets);
        return this;
    }

    private static void add(long[] to, long[] more) {
        for (int i = 0; i < to.length; i++) {
            to[i] += more[i];
        }
    }

    MethodCounters counters() {
        return new MethodCounters(service, method, succeeded, failures, thrown, bytesIn, bytesOut,
                new LatencyHistogram(buckets, totalNs));
    }
}
