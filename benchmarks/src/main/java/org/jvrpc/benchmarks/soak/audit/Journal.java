package org.jvrpc.benchmarks.soak.audit;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The account of a round's calls: a file that all processes map, so that what was noted outlives whoever noted it.
 * Servers count how often each call ran, clients note how it ended. Any thread of any process.
 *
 * <pre>
 * 0        round           the number of the round, 64 bytes
 * 64 ...   a region for each place:
 *   0        next          how many calls were begun, 64 bytes
 *   64 ...   an entry for each call, 16 bytes: runs | how it ended | kind and server | free
 * </pre>
 */
public final class Journal {

    /** How many calls a place may make in a round. */
    static final int CAPACITY = 1 << 17;

    private static final int HEADER = 64;
    private static final int ENTRY = 16;
    private static final int RUNS = 0;
    private static final int END = 4;
    private static final int WHAT = 8;
    private static final int REGION = HEADER + CAPACITY * ENTRY;
    private static final int SERVER_SHIFT = 8;
    private static final int PLACE_SHIFT = 32;
    private static final int ROUND_SHIFT = 40;

    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer map;

    private Journal(ByteBuffer map) {
        this.map = map;
    }

    /**
     * Maps a journal, and makes it where it is not there.
     *
     * @param places how many processes note their calls in it; equal for all that map it
     */
    public static Journal open(Path file, int places) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new Journal(channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER + (long) places * REGION));
        }
    }

    static int placeOf(long id) {
        return (int) (id >>> PLACE_SHIFT) & 0xFF;
    }

    /** Returns the round in which a call began. */
    public static int roundOf(long id) {
        return (int) (id >>> ROUND_SHIFT);
    }

    static int indexOf(long id) {
        return (int) id;
    }

    /** Returns the identity of a call for people: round, place and index. */
    public static String text(long id) {
        return "call " + roundOf(id) + "/" + placeOf(id) + "/" + indexOf(id);
    }

    private static int region(int place) {
        return HEADER + place * REGION;
    }

    private static int entry(int place, int index) {
        return region(place) + HEADER + index * ENTRY;
    }

    /** Forgets the calls of the last round and begins another. While nobody calls. */
    public void beginRound(int round, int places) {
        for (int place = 0; place < places; place++) {
            int used = begun(place);
            map.put(region(place), new byte[HEADER + used * ENTRY]);
        }
        INT.setRelease(map, 0, round);
    }

    /** Returns the number of the round that is on; 0 before the first. */
    public int round() {
        return (int) INT.getAcquire(map, 0);
    }

    /** Returns how many calls a place has begun in this round. */
    public int begun(int place) {
        return Math.min(CAPACITY, (int) INT.getAcquire(map, region(place)));
    }

    /** Begins a call and returns its identity; -1 when the place has made all it may in a round. */
    public long begin(int place, CallKind kind, int server) {
        if (begun(place) >= CAPACITY) {
            return -1;
        }
        int index = (int) INT.getAndAdd(map, region(place), 1);
        if (index >= CAPACITY) {
            return -1;
        }
        int entry = entry(place, index);
        INT.set(map, entry + WHAT, kind.ordinal() | server << SERVER_SHIFT);
        INT.setRelease(map, entry + END, CallEnd.STARTED.ordinal());
        return (long) round() << ROUND_SHIFT | (long) place << PLACE_SHIFT | index;
    }

    /** Notes how a call ended and returns what stood there before. */
    public CallEnd end(long id, CallEnd end) {
        return CallEnd.of((int) INT.getAndSet(map, entry(placeOf(id), indexOf(id)) + END, end.ordinal()));
    }

    /** Notes that a call runs and returns how often it ran before. */
    public int ran(long id) {
        return (int) INT.getAndAdd(map, entry(placeOf(id), indexOf(id)) + RUNS, 1);
    }

    /** Returns how often a call has run. */
    public int runs(long id) {
        return runs(placeOf(id), indexOf(id));
    }

    /** Returns how often a call of a place ran. */
    public int runs(int place, int index) {
        return (int) INT.getAcquire(map, entry(place, index) + RUNS);
    }

    CallEnd end(int place, int index) {
        return CallEnd.of((int) INT.getAcquire(map, entry(place, index) + END));
    }

    CallKind kind(int place, int index) {
        return CallKind.of((int) INT.getAcquire(map, entry(place, index) + WHAT) & 0xFF);
    }

    int server(int place, int index) {
        return (int) INT.getAcquire(map, entry(place, index) + WHAT) >>> SERVER_SHIFT;
    }
}
