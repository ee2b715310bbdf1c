package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Place;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A peer of rdma-core's pingpongs. A tool receives into the buffer that it sends from: what comes back must be what was
 * sent last. Each message is a new one, zero at the first byte of each page, which the tool checks with {@code -c}.
 *
 * <p>Memory: what is sent lies at 0, what is received at {@link #IN} and behind, {@code header + size} bytes each.
 */
final class Echo {

    static final int IN = 1 << 16;
    private static final int PAGE = 4096;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Local local;
    private final Tool tool;
    private final int size;
    private final int header;
    private final SplittableRandom random;
    private byte[] last;

    /** @param header bytes before each message that is received */
    Echo(Local local, Tool tool, int size, int header, long seed) {
        this.local = local;
        this.tool = tool;
        this.size = size;
        this.header = header;
        this.random = new SplittableRandom(seed);
    }

    /** Tells the server our places, and returns its own. */
    static List<Place> askServer(Line line, List<Place> ours) {
        ours.forEach(place -> line.write(place.encode()));
        List<Place> theirs = read(line, ours.size());
        line.write(DONE);
        return theirs;
    }

    private static List<Place> read(Line line, int count) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(Place.decode(line.read(Place.BYTES)));
        }
        return places;
    }

    /** Hears the client's places. */
    static List<Place> hearClient(Line line, int count) {
        return read(line, count);
    }

    /** Tells the client our places; to be called when its messages may come. */
    static void answerClient(Line line, List<Place> ours) {
        ours.forEach(place -> line.write(place.encode()));
        assertArrayEquals(DONE, line.read(DONE.length));
    }

    private void fill() {
        last = new byte[size];
        random.nextBytes(last);
        for (int at = 0; at < size; at += PAGE) {
            last[at] = 0;
        }
        local.put(0, last);
    }

    /**
     * Plays with one QP. Receives are posted already, the one with {@code wrId} n at {@code IN}, all to the same place.
     *
     * @param first true to begin
     */
    void play(boolean first, int iterations, PostSend send, PostReceive receive) {
        int sent = 0;
        int sending = 0;
        int received = 0;
        if (first) {
            fill();
            assertEquals(1, send.execute());
            sent++;
            sending++;
        }
        while (received < iterations || sending > 0) {
            WorkCompletion wc = local.awaitUnlessGone(tool);
            if (wc == null) {
                assertEquals(iterations, received, "messages");
                break;
            }
            if (wc.opcode() == WcOpcode.SEND) {
                sending--;
            } else {
                assertEquals(header + size, wc.byteLength(), "bytes of message " + received);
                check(received);
                received++;
                assertEquals(1, receive.execute());
            }
            if (sending == 0 && sent < iterations && received == (first ? sent : sent + 1)) {
                fill();
                assertEquals(1, send.execute());
                sent++;
                sending++;
            }
        }
        assertEquals(iterations, sent);
    }

    private void check(int message) {
        if (last != null) {
            assertArrayEquals(last, local.bytes(IN + header, size), "message " + message + " is not the last one sent");
        }
    }
}
