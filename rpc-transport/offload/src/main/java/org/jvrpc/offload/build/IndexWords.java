package org.jvrpc.offload.build;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.CopyRequest;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;

/**
 * Words whose fields a masked fetch-and-add advances.
 *
 * <pre>
 * 0 word 0: field, field, …, little-endian, 1 to 4 bytes each | 8 word 1 … | then those of them, of whose old values
 * somebody wants some, as they were before the last addition
 * </pre>
 * A byte of a word can be scattered once, so a number that two WRs need lies in two fields, unless one of them can do
 * with the new word's and the other with the old word's.
 */
final class IndexWords {

    static final int MAX_WORDS = 16;
    /** Bytes of the words and of their old values. */
    static final int BYTES = 2 * 8 * MAX_WORDS;

    /** A field that is an address and no producer index. */
    record Cursor(int bytes, long initial, long increment, Place next, Place current) {
    }

    /** A READ of so many bytes from an offset of the words on. */
    record Scatter(int from, int length, Place... into) {
    }

    private static final class Slot {
        private final int bytes;
        private final long increment;
        private long initial;
        private final String name;
        private Place intoNew;
        private Place intoOld;
        private int at = -1;

        Slot(int bytes, long increment, long initial, Place intoNew, Place intoOld, String name) {
            this.bytes = bytes;
            this.increment = increment;
            this.initial = initial;
            this.intoNew = intoNew;
            this.intoOld = intoOld;
            this.name = name;
        }

        boolean holds(int width, long otherIncrement, long value) {
            return bytes >= width && increment == otherIncrement && (value - initial & (1L << 8 * width) - 1) == 0;
        }
    }

    private final List<Slot> slots = new ArrayList<>();
    /** Where what the second part of an update in two hands out goes. */
    private final Set<Place> later = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long[][] addAndBoundary = new long[MAX_WORDS][2];
    /** Offset of a word's old value; -1 when nobody wants it. */
    private final int[] oldAt = new int[MAX_WORDS];
    private int count;
    private int used;

    void clear() {
        slots.clear();
        later.clear();
    }

    /** Returns addend and field boundary of a word, filled in by {@link #pack()}. */
    long[] addAndBoundary(int word) {
        return addAndBoundary[word];
    }

    void add(Cursor cursor) {
        slots.add(new Slot(cursor.bytes, cursor.increment, cursor.initial, cursor.next, cursor.current, "a cursor"));
        later.add(cursor.next);
    }

    /**
     * Adds a producer index.
     *
     * @param ahead true when its WR runs ahead of the update and needs the number of its next lap
     * @param late true when it gets it by the second part of an update in two
     */
    void add(OrderRequest order, boolean ahead, boolean late) {
        int width = order.width();
        long increment = order.increment();
        Place into = Place.in(order, Field.PRODUCER_INDEX.offset() + 4 - width, width);
        if (late) {
            later.add(into);
        }
        long asNew = ahead ? order.index() : order.index() - increment;
        long asOld = asNew + increment;
        for (Slot slot : slots) {
            if (slot.name.equals("a cursor")) {
                continue;
            }
            if (slot.intoOld == null && slot.holds(width, increment, asOld)) {
                slot.intoOld = into;
                return;
            }
            if (slot.intoOld == null && slot.holds(width, increment, asNew - increment)) {
                slot.initial += increment; // the first user can do with the old word as well
                slot.intoOld = slot.intoNew;
                slot.intoNew = into;
                return;
            }
        }
        slots.add(new Slot(width, increment, asNew, into, null, "indices by " + increment));
    }

    /** Gives each field its bytes, and returns how many words there are. */
    int pack() {
        List<Slot> order = new ArrayList<>(slots);
        order.sort((a, b) -> rank(a) - rank(b)); // those of old words first: the rest of an old word is not read
        int[] taken = new int[MAX_WORDS];
        count = 0;
        for (Slot slot : order) {
            int word = 0;
            while (word < MAX_WORDS && taken[word] + slot.bytes > 8) {
                word++;
            }
            if (word == MAX_WORDS) {
                throw new IllegalArgumentException(
                        "a recycled program has too many WAITs and ENABLEs: fields=" + slots.size());
            }
            slot.at = 8 * word + taken[word];
            taken[word] += slot.bytes;
            count = Math.max(count, word + 1);
        }
        fillIn();
        return count;
    }

    private void fillIn() {
        Arrays.fill(oldAt, -1);
        for (long[] operands : addAndBoundary) {
            Arrays.fill(operands, 0);
        }
        used = 8 * count;
        for (Slot slot : slots) {
            int word = slot.at / 8;
            int shift = 8 * (slot.at % 8);
            long mask = (1L << 8 * slot.bytes) - 1;
            addAndBoundary[word][0] |= (slot.increment & mask) << shift;
            addAndBoundary[word][1] |= 1L << shift + 8 * slot.bytes - 1;
        }
        for (int word = 0; word < count; word++) {
            for (Slot slot : slots) {
                if (slot.intoOld != null && slot.at / 8 == word && oldAt[word] < 0) {
                    oldAt[word] = used;
                    used += 8;
                }
            }
        }
    }

    /** Returns the offset where a word's old value goes; -1 when nobody wants it. */
    int oldAt(int word) {
        return oldAt[word];
    }

    private static int rank(Slot slot) {
        return slot.name.equals("a cursor") ? 0 : slot.intoOld != null ? 1 : 2;
    }

    /** Returns what the words are in the beginning. */
    byte[] initial() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Slot slot : slots) {
            for (int i = 0; i < slot.bytes; i++) {
                bytes.put(slot.at + i, (byte) (slot.initial >>> 8 * i));
            }
        }
        return bytes.array();
    }

    /** Returns the READs that hand all fields out. @param unwanted takes the bytes that nobody wants */
    List<Scatter> scatter(Place unwanted) {
        return scatter(unwanted, into -> true);
    }

    /** Returns the READs of the first part of an update in two, or of the second. */
    List<Scatter> scatter(Place unwanted, boolean second) {
        return scatter(unwanted, into -> later.contains(into) == second);
    }

    private List<Scatter> scatter(Place unwanted, Predicate<Place> wanted) {
        Place[] pieces = new Place[used];
        for (Slot slot : slots) {
            deal(pieces, slot.at, slot.intoNew, wanted);
            deal(pieces, oldAt[slot.at / 8] + slot.at % 8, slot.intoOld, wanted);
        }
        List<Scatter> scatters = new ArrayList<>();
        List<Place> into = new ArrayList<>();
        int from = 0;
        int at = 0;
        while (true) {
            int gap = 0;
            while (at + gap < pieces.length && pieces[at + gap] == null) {
                gap++;
            }
            boolean skips = gap > 0 && !into.isEmpty();
            boolean atEnd = at + gap == pieces.length;
            boolean full = into.size() + (skips ? 2 : 1) > CopyRequest.MAX_SGES || gap > unwanted.length();
            if (!into.isEmpty() && (atEnd || full)) {
                scatters.add(new Scatter(from, at - from, into.toArray(Place[]::new)));
                into.clear();
                skips = false;
            }
            if (atEnd) {
                return scatters;
            }
            if (skips) {
                into.add(unwanted.slice(0, gap));
            } else if (into.isEmpty()) {
                from = at + gap;
            }
            at += gap;
            into.add(pieces[at++]);
        }
    }

    private static void deal(Place[] pieces, int at, Place into, Predicate<Place> wanted) {
        for (int i = 0; into != null && wanted.test(into) && i < into.length(); i++) {
            pieces[at + i] = into.slice(into.length() - 1 - i, 1);
        }
    }

    String describe(int word) {
        List<String> names = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.at / 8 == word) {
                names.add(slot.name);
            }
        }
        return String.join(", ", names);
    }
}
