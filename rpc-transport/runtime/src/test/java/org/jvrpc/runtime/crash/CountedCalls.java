package org.jvrpc.runtime.crash;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.testing.crash.StorePoints;

/** Counts the runs of each number. */
class CountedCalls implements Counted {

    private final Map<Long, Integer> runs = new ConcurrentHashMap<>();

    /** Returns how often calls of a number ran. */
    final int runs(long number) {
        return runs.getOrDefault(number, 0);
    }

    static byte[] of(long number, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) number);
        return bytes;
    }

    private void run(long number) {
        runs.merge(number, 1, Integer::sum);
    }

    @Override
    public long light(long number) {
        run(number);
        return -number;
    }

    @Override
    public byte[] bytes(long number, byte[] bytes) {
        run(number);
        if (!Arrays.equals(of(number, bytes.length), bytes)) {
            throw new IllegalArgumentException("other bytes than were sent: number=" + number);
        }
        return of(number + 1, bytes.length);
    }

    @Override
    public void tell(long number) {
        run(number);
    }

    @Override
    public void begin() {
        StorePoints.countHere();
    }

    @Override
    public void end() {
        throw new IllegalStateException("not here");
    }
}
