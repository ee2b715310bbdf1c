package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a reader met around a kill, millisecond by millisecond.
 *
 * @param name for people
 * @param killed the millisecond of the kill
 * @param back the millisecond in which the server was seen serving again; -1 when it was not
 * @param found gets that found the value
 * @param missed gets that found nothing
 * @param failed gets that failed
 * @param gapNs longest time without a value, noted where it ended
 * @param ranNs of such a time, the most that the reader had the processor for
 */
record Lane(String name, int killed, int back, int[] found, int[] missed, int[] failed, long[] gapNs, long[] ranNs) {

    private static final int COUNTS = 3;
    private static final double NS_PER_MS = 1e6;

    /** Reads the file of a {@link Timeline}. @param killedNs by the same clock */
    static Lane read(String name, Path file, long killedNs, long backNs) throws IOException {
        List<String> lines = Files.readAllLines(file);
        long begunNs = Long.parseLong(lines.get(0));
        int bins = lines.size() - 1;
        int[][] counts = new int[COUNTS][bins];
        long[] gaps = new long[bins];
        long[] ran = new long[bins];
        for (int i = 0; i < bins; i++) {
            String[] words = lines.get(i + 1).split(" ");
            for (int c = 0; c < COUNTS; c++) {
                counts[c][i] = Integer.parseInt(words[c]);
            }
            gaps[i] = Long.parseLong(words[COUNTS]);
            ran[i] = Long.parseLong(words[COUNTS + 1]);
        }
        return new Lane(name, bin(killedNs, begunNs), backNs == 0 ? -1 : bin(backNs, begunNs), counts[0], counts[1],
                counts[2], gaps, ran);
    }

    private static int bin(long atNs, long begunNs) {
        return (int) ((atNs - begunNs) / 1_000_000);
    }

    private static long sum(int[] counts) {
        long sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    long answers() {
        return sum(found);
    }

    long misses() {
        return sum(missed);
    }

    long failures() {
        return sum(failed);
    }

    private static double longestMs(long[] times, int from, int to) {
        long longest = 0;
        for (int i = Math.max(0, from); i < Math.min(to, times.length); i++) {
            longest = Math.max(longest, times[i]);
        }
        return longest / NS_PER_MS;
    }

    /** Returns the longest time without a value before the kill: what the machine does by itself. */
    double gapBeforeMs() {
        return longestMs(gapNs, 0, killed);
    }

    /** Returns the longest time without a value from the kill on; to the end, when no value came any more. */
    double gapAfterMs() {
        int last = found.length - 1;
        while (last > killed && found[last] == 0) {
            last--;
        }
        double open = found.length - 1 - last;
        return Math.max(longestMs(gapNs, killed, found.length), open > 1 ? open : 0);
    }

    /** Returns when, after the kill, the longest time without a value ended, in milliseconds. */
    int longestEndedMs() {
        int longest = killed;
        for (int i = killed; i < gapNs.length; i++) {
            longest = gapNs[i] > gapNs[longest] ? i : longest;
        }
        return longest - killed;
    }

    /** Returns the most of a time without a value, from the kill on, that the reader had the processor for. */
    double ranAfterMs() {
        return longestMs(ranNs, killed, found.length);
    }
}
