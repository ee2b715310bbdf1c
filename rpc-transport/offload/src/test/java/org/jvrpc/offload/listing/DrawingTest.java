package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Where a picture has what; the pictures of whole programs are golden files. */
final class DrawingTest {

    private static final Pattern SIZE = Pattern.compile("<svg [^>]* width=\"(\\d+)\"");
    /** Of boxes; that of the picture's background is in percent. */
    private static final Pattern BOX =
            Pattern.compile("<rect x=\"(\\d+)\" y=\"(\\d+)\" width=\"(\\d+)\" height=\"(\\d+)\"");
    /** An arrow within one gutter: from, along a lane, to. */
    private static final Pattern ARROW = Pattern.compile("<path d=\"M(\\d+) (\\d+)H(\\d+)V(\\d+)H(\\d+)\"");

    private final Sketch sketch = new Sketch();
    private final ChainQueue worker = sketch.managed("W", 8);
    private final ChainQueue targets = sketch.managed("R", 16);
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");

    /** A READ that changes some WRs. @param order the queues from left to right */
    private Program reader(int count, ChainQueue... order) {
        ProgramBuilder builder = new ProgramBuilder("reader", sketch.memory(64)).over(order);
        Place[] fields = new Place[count];
        WorkRequest last = null;
        for (int i = 0; i < count; i++) {
            last = builder.add(targets, Wr.write(data.slice(0, 8), data.slice(8, 8)));
            fields[i] = last.field(Field.REMOTE_ADDRESS);
        }
        WorkRequest read = builder.add(worker, Wr.read(data.slice(0, 8 * count), fields).signalled());
        builder.add(worker, Wr.await(read));
        builder.add(worker, Wr.enable(last));
        builder.startAll(worker);
        return builder.build();
    }

    private static List<int[]> all(Pattern pattern, String svg) {
        List<int[]> found = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(svg); matcher.find(); ) {
            int[] numbers = new int[matcher.groupCount()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = Integer.parseInt(matcher.group(i + 1));
            }
            found.add(numbers);
        }
        return found;
    }

    @Test
    void aPictureIsAtLeastAsWideAsItsHeading() {
        String title = "x".repeat(200);
        int characters = "reader".length() + title.length() + 24;
        assertEquals(7 * characters + 2 * 16, all(SIZE, Drawing.svg(reader(1, worker), title)).get(0)[0]);
    }

    @Test
    void anArrowToAColumnOnTheLeftRunsThroughTheGapBetweenTheTwo() {
        String svg = Drawing.svg(reader(1, targets, worker), "");
        int[] target = all(BOX, svg).get(0);
        int[] reader = all(BOX, svg).get(1);
        int[] arrow = all(ARROW, svg).get(0);
        int targetEnd = target[0] + target[2];
        assertEquals(reader[0], arrow[0], "begins at the left side of the WR that changes the other");
        assertEquals(targetEnd, arrow[4], "ends at the right side of the one that is changed");
        assertTrue(targetEnd < arrow[2] && arrow[2] < reader[0], "lane=" + arrow[2] + " in " + svg);
    }

    @Test
    void aBoxIsHighEnoughForItsArrows() {
        String svg = Drawing.svg(reader(16, worker, targets), "");
        assertEquals(17 * 9, all(BOX, svg).get(0)[3], svg);
    }
}
