package org.jvrpc.samples.kv;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jvrpc.api.RpcException;
import org.jvrpc.samples.kv.rpc.KvClient;
import org.jvrpc.samples.kv.rpc.KvCounts;
import org.jvrpc.samples.kv.store.StoreResult;

/**
 * One client that gets and sets keys of its own, so that it knows what each get must bring: the value of its last set,
 * or nothing where the store has evicted it. A set that failed may have happened or not.
 */
final class LoadClient implements Runnable {

    /** A value begins with the number of its key and of its write. */
    static final int MIN_VALUE = 16;

    private static final long MAX_NS = 60_000_000_000L;
    private static final long PAUSE_NS = 1_000_000;
    private static final long PATIENCE_NS = 20_000_000_000L;

    private final KvClient client;
    private final byte[][] keys;
    private final long[] writes;
    private final boolean[] unsure;
    private final int writePercent;
    private final SplittableRandom random;
    private final ByteBuffer value;
    private final ByteBuffer into;
    private final Histogram getNs = histogram();
    private final Histogram setNs = histogram();
    private long ranNs;
    private long wrong;
    private long unavailable;
    private long evicted;
    private String firstWrong;
    private volatile boolean stopped;

    LoadClient(KvClient client, int number, int keys, int valueBytes, int writePercent, long seed) {
        this.client = client;
        this.keys = new byte[keys][];
        this.writes = new long[keys];
        this.unsure = new boolean[keys];
        this.writePercent = writePercent;
        this.random = new SplittableRandom(seed);
        this.value = ByteBuffer.allocateDirect(valueBytes).order(ByteOrder.LITTLE_ENDIAN);
        this.into = ByteBuffer.allocateDirect(valueBytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < keys; i++) {
            this.keys[i] = ("load-" + number + "-" + i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Returns an empty histogram of nanoseconds. */
    static Histogram histogram() {
        return new Histogram(1, MAX_NS, 3);
    }

    /** Stores all keys, also while the server is away for some seconds. */
    void fill() {
        long endNs = System.nanoTime() + PATIENCE_NS;
        for (int i = 0; i < keys.length; ) {
            try {
                set(i);
                i++;
            } catch (RpcException e) {
                if (System.nanoTime() > endNs) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        setNs.reset();
    }

    @Override
    public void run() {
        long begunNs = System.nanoTime();
        while (!stopped) {
            int key = random.nextInt(keys.length);
            try {
                if (random.nextInt(100) < writePercent) {
                    set(key);
                } else {
                    get(key);
                }
            } catch (RpcException e) {
                unavailable++;
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        ranNs = System.nanoTime() - begunNs;
    }

    private void set(int key) {
        long write = writes[key] + 1;
        writes[key] = write;
        unsure[key] = true;
        value.putLong(0, key).putLong(Long.BYTES, write);
        value.put(value.capacity() - 1, (byte) (key + write));
        long begunNs = System.nanoTime();
        StoreResult result = client.set(keys[key], value.clear(), key, 0);
        setNs.recordValue(Math.min(MAX_NS, System.nanoTime() - begunNs));
        if (result == StoreResult.STORED) {
            unsure[key] = false;
        } else {
            note("set of key " + key + " ended " + result);
        }
    }

    private void get(int key) {
        into.clear();
        long begunNs = System.nanoTime();
        int length = client.get(keys[key], into);
        getNs.recordValue(Math.min(MAX_NS, System.nanoTime() - begunNs));
        if (length < 0) {
            evicted++;
        } else if (!isRight(key, length)) {
            note("key " + key + " write " + writes[key] + ": length=" + length + " key=" + into.getLong(0) + " write="
                    + into.getLong(Long.BYTES) + " flags=" + client.flags());
        }
    }

    private boolean isRight(int key, int length) {
        long write = into.getLong(Long.BYTES);
        boolean known = write == writes[key] || unsure[key] && write > 0 && write < writes[key];
        int last = into.capacity() - 1;
        return length == into.capacity() && known && into.getLong(0) == key && client.flags() == key
                && (last < MIN_VALUE || into.get(last) == (byte) (key + write));
    }

    private void note(String what) {
        wrong++;
        if (firstWrong == null) {
            firstWrong = what;
        }
    }

    void stop() {
        stopped = true;
    }

    void close() {
        client.close();
    }

    Histogram getNs() {
        return getNs;
    }

    Histogram setNs() {
        return setNs;
    }

    long wrong() {
        return wrong;
    }

    long unavailable() {
        return unavailable;
    }

    long evicted() {
        return evicted;
    }

    String firstWrong() {
        return firstWrong;
    }

    KvCounts counts() {
        return client.counts();
    }

    double operationsPerSecond() {
        long count = getNs.getTotalCount() + setNs.getTotalCount();
        return ranNs == 0 ? 0 : count * (double) TimeUnit.SECONDS.toNanos(1) / ranNs;
    }
}
