package org.jvrpc.watch.history;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * One file. Series have numbers that hold in this file alone, in the map {@code names}; rows lie in the map {@code
 * rows} under
 * <pre>
 *  63 62                     24 23              0
 * +--+-------------------------+-----------------+
 * |0 |         window          | number of series|
 * +--+-------------------------+-----------------+
 * </pre>
 * so that what is written grows at the end of the map, whatever the series. Types are given: nothing of a file is ever
 * made an object by Java's serialization. Not thread-safe.
 */
final class Segment implements AutoCloseable {

    static final long MOST_WINDOW = (1L << 39) - 1;

    private static final int SERIES_BITS = 24;
    private static final long SERIES = (1L << SERIES_BITS) - 1;
    private static final int CACHE_MIB = 1;
    private static final int COMPACTION_MS = 200;

    private final Path file;
    private final boolean writable;
    private MVStore store;
    private MVMap<String, Long> names;
    private MVMap<Long, byte[]> rows;

    private Segment(Path file, boolean writable) {
        this.file = file;
        this.writable = writable;
    }

    /**
     * Opens a file, or begins one.
     *
     * @throws MVStoreException or another RuntimeException, see {@link #isCorrupt}
     */
    static Segment open(Path file, boolean writable) {
        Segment segment = new Segment(file, writable);
        MVStore.Builder builder = new MVStore.Builder().fileName(file.toString()).autoCommitDisabled()
                .autoCommitBufferSize(0).cacheSize(CACHE_MIB).compress();
        segment.store = (writable ? builder : builder.readOnly()).open();
        try {
            segment.names = segment.store.openMap("names", new MVMap.Builder<String, Long>()
                    .keyType(StringDataType.INSTANCE).valueType(LongDataType.INSTANCE));
            segment.rows = segment.store.openMap("rows", new MVMap.Builder<Long, byte[]>()
                    .keyType(LongDataType.INSTANCE).valueType(ByteArrayDataType.INSTANCE));
            segment.firstWindow();
            segment.lastWindow(); // reads both ends
        } catch (RuntimeException e) {
            segment.store.closeImmediately();
            throw e;
        }
        return segment;
    }

    Path file() {
        return file;
    }

    boolean isWritable() {
        return writable;
    }

    /** Adds a row, which {@link #commit} writes; a row of the same series and window is replaced. */
    void put(String series, long window, byte[] row) {
        Long number = names.get(series);
        if (number == null) {
            number = names.sizeAsLong();
            names.put(series, number);
        }
        rows.put(window << SERIES_BITS | number, row);
    }

    /** Tells whether there is a number for one more series. */
    boolean hasRoom() {
        return names.sizeAsLong() <= SERIES;
    }

    void commit() {
        store.commit();
    }

    /** Returns the first window, or -1 when there is none. */
    long firstWindow() {
        Long first = rows.firstKey();
        return first == null ? -1 : first >>> SERIES_BITS;
    }

    /** Returns the last window, or -1 when there is none. */
    long lastWindow() {
        Long last = rows.lastKey();
        return last == null ? -1 : last >>> SERIES_BITS;
    }

    /** Puts the rows of a series from one window to another, both included, into a map: two look-ups a window. */
    void range(String series, long from, long to, SortedMap<Long, byte[]> into) {
        Long number = names.get(series);
        if (number == null) {
            return;
        }
        Long key = rows.ceilingKey(from << SERIES_BITS | number);
        while (key != null && key >>> SERIES_BITS <= to) {
            long window = key >>> SERIES_BITS;
            long of = key & SERIES;
            if (of == number) {
                byte[] row = rows.get(key);
                if (row != null) {
                    into.put(window, row);
                }
            }
            long next = of < number ? window : window + 1;
            if (next > to) {
                return;
            }
            long asked = next << SERIES_BITS | number;
            key = rows.ceilingKey(asked);
            if (key != null && key < asked) {
                throw new IllegalStateException("rows of " + file + " are in no order: " + key + " behind " + asked);
            }
        }
    }

    /** Hands over the rows of all series whose names begin so, window by window. */
    void each(String prefix, long from, long to, History.Rows rowsTo) {
        String[] series = new String[(int) names.sizeAsLong()];
        names.forEach((name, number) -> {
            if (name.startsWith(prefix) && number < series.length) {
                series[number.intValue()] = name;
            }
        });
        Cursor<Long, byte[]> cursor = rows.cursor(from << SERIES_BITS);
        while (cursor.hasNext()) {
            long key = cursor.next();
            long window = key >>> SERIES_BITS;
            int number = (int) (key & SERIES);
            if (window > to) {
                return;
            }
            if (number < series.length && series[number] != null) {
                rowsTo.row(series[number], window, cursor.getValue());
            }
        }
    }

    /** Returns the bytes of the file, as they are on the disk. */
    long bytes() throws IOException {
        return Files.size(file);
    }

    /** Tells whether a failure says that the file is broken, and not that it cannot be read at the moment. */
    static boolean isCorrupt(RuntimeException failure) {
        if (failure instanceof UncheckedIOException) {
            return false;
        }
        if (!(failure instanceof MVStoreException known)) {
            return true; // what a broken length or type leads to
        }
        return switch (known.getErrorCode()) {
            case DataUtils.ERROR_FILE_CORRUPT, DataUtils.ERROR_CHUNK_NOT_FOUND, DataUtils.ERROR_UNSUPPORTED_FORMAT,
                    DataUtils.ERROR_INTERNAL, DataUtils.ERROR_SERIALIZATION -> true;
            case DataUtils.ERROR_READING_FAILED -> known.getCause() instanceof EOFException;
            default -> false;
        };
    }

    /** Closes after a failure: what was not committed is lost. */
    void drop() {
        store.closeImmediately();
    }

    /** Writes what is left and closes. */
    @Override
    public void close() {
        if (writable) {
            store.close(COMPACTION_MS);
        } else {
            store.closeImmediately();
        }
    }
}
