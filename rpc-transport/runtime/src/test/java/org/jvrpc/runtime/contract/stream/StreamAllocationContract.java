package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;

/** Elements of primitives and of buffers in place make no garbage, at either end. */
public abstract class StreamAllocationContract extends StreamFixture {

    private static final int ELEMENTS = 20_000;
    private static final int BUFFERS = 1_000;
    /** Of the last rounds. */
    private static final int SHOWN = 20;
    /** Takes so long to move that what threads do each millisecond would count, which is not for the element. */
    private static final int LONG_BYTES = 1 << 14;
    private static final long TIMEOUT_NS = Long.getLong("jvrpc.allocation.seconds", 50) * 1_000_000_000L;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * Returns how many bytes a buffer in place may take on a machine that stays busy: none, but where each may lie at a
     * place of its own, of which a view is made.
     */
    protected int mostOnABusyMachine() {
        return 0;
    }

    private long allocated(long[] ids) {
        return Arrays.stream(threads.getThreadAllocatedBytes(ids)).filter(each -> each > 0).sum();
    }

    /** Returns all threads, or all but those that look after sessions each millisecond, whatever comes. */
    private long[] threads(boolean all) {
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(each -> each != null && (all || !each.getThreadName().matches("jvrpc-(streams|control)-.*")))
                .mapToLong(ThreadInfo::getThreadId).toArray();
    }

    /** Goes on until a round of all threads took less than a byte an element, as compilers come late. */
    private void allocatesNothing(int elements, Runnable next) {
        allocatesNothing(elements, true, 0, next);
    }

    /** @param most that an element may take on a busy machine */
    private void allocatesNothing(int elements, boolean all, int most, Runnable next) {
        List<Long> taken = new ArrayList<>();
        long startNs = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, () -> "each " + elements + " took bytes: "
                    + taken.subList(Math.max(0, taken.size() - SHOWN), taken.size()) + " in rounds=" + taken.size());
            next.run(); // so that the other side's thread is there
            long[] ids = threads(all);
            long first = allocated(ids);
            long before = allocated(ids);
            for (int i = 0; i < elements; i++) {
                next.run();
            }
            taken.add(allocated(ids) - before - (before - first)); // a look takes some, too
        } while (taken.get(taken.size() - 1) >= mayTake(elements, most, System.nanoTime() - startNs));
    }

    private static long mayTake(int elements, int most, long elapsedNs) {
        return elapsedNs < TIMEOUT_NS / 5 ? elements : elements * Math.max(1L, most);
    }

    @Test
    void longsOfAResultMakeNoGarbage() {
        try (StreamReader.OfLong reader = Streams.longReader(feed().count(Long.MAX_VALUE))) {
            long[] expected = {0};
            allocatesNothing(ELEMENTS, () -> assertEquals(expected[0]++, reader.nextLong()));
        }
    }

    @Test
    void intsOfAResultMakeNoGarbage() {
        try (StreamReader.OfInt reader = Streams.intReader(feed().ints())) {
            int[] expected = {0};
            allocatesNothing(ELEMENTS, () -> assertEquals(expected[0]++, reader.nextInt()));
        }
    }

    @Test
    void doublesOfAResultMakeNoGarbage() {
        try (StreamReader.OfDouble reader = Streams.doubleReader(feed().doubles())) {
            double[] expected = {0};
            allocatesNothing(ELEMENTS, () -> assertTrue(expected[0]++ == reader.nextDouble(), "out of order"));
        }
    }

    @Test
    void longsOfAnArgumentMakeNoGarbage() {
        Feed feed = feed();
        feed.sum(Streams.writingLongs(writer -> {
            long[] next = {0};
            allocatesNothing(ELEMENTS, () -> writer.writeLong(next[0]++));
        }));
    }

    @Test
    void buffersInPlaceOfAResultMakeNoGarbage() {
        for (int length : new int[] {100, 1 << 16}) {
            try (StreamReader<ByteBuffer> reader = Streams.reader(feed().buffers(length, Integer.MAX_VALUE))) {
                allocatesNothing(BUFFERS, length < LONG_BYTES, mostOnABusyMachine(),
                        () -> assertTrue(reader.next().remaining() == length, "another length"));
            }
        }
    }

    @Test
    void buffersInPlaceOfAnArgumentMakeNoGarbage() throws Exception {
        Feed feed = feed();
        for (int length : new int[] {100, 1 << 16}) {
            feed.skim(Streams.writing(writer -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(length);
                allocatesNothing(BUFFERS, length < LONG_BYTES, mostOnABusyMachine(), () -> writer.write(buffer));
            }));
        }
    }
}
