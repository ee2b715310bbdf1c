package org.jvrpc.watch.probe;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any sequence numbers, as holders of a key may send them: {@code how:8}, then a number of 64 bits where its lowest bit
 * is 0, else 16 bits, signed, to be added to the highest one so far. Beside a set that forgets nothing.
 */
final class ReplayWindowFuzz {

    private ReplayWindowFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        ReplayWindow window = new ReplayWindow();
        Set<Long> taken = new HashSet<>();
        long highest = 0;
        while (in.remaining() >= 1 + Long.BYTES) {
            long sequence = (in.get() & 1) == 0 ? in.getLong() : highest + in.getShort();
            boolean wanted = sequence > 0 && sequence > highest - ReplayWindow.SPAN && !taken.contains(sequence);
            FuzzCheck.that(window.take(sequence) == wanted, "sequence=" + sequence + " highest=" + highest
                    + " taken=" + !wanted);
            if (wanted) {
                taken.add(sequence);
                highest = Math.max(highest, sequence);
            }
            before(window, taken, highest, sequence);
        }
    }

    private static void before(ReplayWindow window, Set<Long> taken, long highest, long sequence) {
        long bits = window.before(sequence);
        for (int i = 0; i < Long.SIZE; i++) {
            long at = sequence - 1 - i;
            boolean known = at > highest - ReplayWindow.SPAN && taken.contains(at);
            FuzzCheck.that((bits >>> i & 1) != 0 == known, "sequence=" + sequence + " bit=" + i + " came=" + known);
        }
    }
}
