package org.jvrpc.watch.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a folder, by the window that each began with. Not thread-safe. Failures are RuntimeExceptions. */
final class Segments implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
    private static final int OPEN = 12;

    private record Row(String series, long window, byte[] bytes) { }

    /** A file that is finished, and the windows in it as far as known: it changes no more. */
    private record Known(long first, long last) { }

    private final Path folder;
    private final long bound;
    private final long windows;
    private final long segmentBytes;
    private final Consumer<String> note;
    private final TreeMap<Long, Path> files = new TreeMap<>();
    private final Map<Path, Known> known = new LinkedHashMap<>();
    private final Map<Path, Segment> readers = new LinkedHashMap<>(OPEN, 1, true);
    /** Rows that are not on the disk yet: they go to another file when the current one is broken. */
    private final List<Row> uncommitted = new ArrayList<>();
    private Segment current;
    private long begin;

    /**
     * Looks at a folder.
     *
     * @param windows of a file
     * @param segmentBytes of a file, about
     * @param note takes what people should know
     */
    Segments(Path folder, long bound, long windows, long segmentBytes, Consumer<String> note) throws IOException {
        this.folder = folder;
        this.bound = bound;
        this.windows = windows;
        this.segmentBytes = segmentBytes;
        this.note = note;
        for (Path file : list(SegmentName.ENDING)) {
            if (SegmentName.begin(file) >= 0) {
                files.put(SegmentName.begin(file), file);
            }
        }
    }

    private List<Path> list(String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "history-*" + ending)) {
            all.forEach(found::add);
        }
        return found;
    }

    /** Adds a row to the file of its time: the newest, or a new one when that is long enough. */
    void put(String series, long window, byte[] row) {
        Row last = new Row(series, window, row);
        uncommitted.add(last);
        if (current == null) {
            writeAgain();
        } else {
            write(last);
        }
    }

    /** Writes all that is not on the disk: the file in which it was is closed. */
    private void writeAgain() {
        List<Row> all = List.copyOf(uncommitted);
        uncommitted.clear();
        try {
            for (Row row : all) {
                uncommitted.add(row);
                write(row);
            }
        } catch (RuntimeException e) {
            uncommitted.clear();
            uncommitted.addAll(all);
            throw e;
        }
    }

    /** @param row the last one of those that are not on the disk */
    private void write(Row row) {
        if (current == null && !files.isEmpty()) {
            resume();
        }
        if (current != null
                && (row.window - begin >= windows || !current.hasRoom() || size(current.file()) >= segmentBytes)) {
            finish();
            uncommitted.subList(0, uncommitted.size() - 1).clear();
        }
        if (current == null) {
            begin = row.window;
            while (files.containsKey(begin)) {
                begin++; // that one is full, or set aside windows ago
            }
            Path file = SegmentName.unfinished(folder, begin);
            current = Segment.open(file, true);
            files.put(begin, file);
        }
        current.put(row.series, row.window, row.bytes);
    }

    private void resume() {
        Path newest = files.lastEntry().getValue();
        close(readers.remove(newest));
        known.remove(newest);
        begin = files.lastKey();
        Path file = newest;
        try {
            check(file);
            if (SegmentName.isFinished(file)) {
                file = SegmentName.move(file, SegmentName.unfinished(folder, begin));
                files.put(begin, file);
            }
            current = Segment.open(file, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            failed(file, e);
        }
    }

    private static void check(Path file) throws IOException {
        if (!SegmentName.isSound(file)) {
            throw new IllegalStateException("its checksum is not that of its name");
        }
    }

    private void finish() {
        Segment full = current;
        current = null;
        full.close();
        try {
            files.put(begin, SegmentName.move(full.file(), SegmentName.finished(full.file())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes what was put; the oldest files go first if it would not fit within the bound. */
    void commit(long unwritten) {
        if (current == null) {
            writeAgain();
        }
        if (current == null) {
            return;
        }
        long room = 2 * unwritten + (64 << 10);
        if (bytes() + room > bound) {
            removeCorrupt();
        }
        while (bytes() + room > bound && files.size() > 1) {
            Path oldest = files.firstEntry().getValue();
            remove(oldest.equals(current.file()) ? files.lastEntry().getValue() : oldest); // a clock went back
        }
        current.commit();
        if (!Files.exists(current.file())) {
            throw new UncheckedIOException(new IOException(current.file() + " was deleted"));
        }
        uncommitted.clear();
    }

    /**
     * After a failure to write: sets the file aside if it is broken, and writes what it did not get to another one.
     *
     * @return false when nothing was written, and what was put since the last commit is forgotten
     */
    boolean replace(RuntimeException failure, long unwritten) {
        Path broken = current == null ? null : current.file();
        dropCurrent();
        try {
            if (broken != null && Segment.isCorrupt(failure)) {
                if (files.containsValue(broken)) {
                    failed(broken, failure);
                }
                commit(unwritten);
                return true;
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            dropCurrent();
        }
        uncommitted.clear();
        return false;
    }

    private void removeCorrupt() {
        try {
            for (Path old : list(SegmentName.CORRUPT)) {
                Files.delete(old);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void remove(Path file) {
        close(readers.remove(file));
        known.remove(file);
        files.values().remove(file);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** After an error: what was put since the last commit is lost. */
    void forget() {
        dropCurrent();
        uncommitted.clear();
    }

    /** After a failure: what is committed stays, and is opened again when it is asked for. */
    private void dropCurrent() {
        if (current == null) {
            return;
        }
        Path file = current.file();
        current.drop();
        current = null;
        if (size(file) == 0) {
            try {
                remove(file);
            } catch (UncheckedIOException e) {
                files.values().remove(file);
            }
        }
    }

    /** Returns the rows of a series from one window to another. A file that turns out to be broken is set aside. */
    SortedMap<Long, byte[]> range(String series, long from, long to) {
        SortedMap<Long, byte[]> found = new TreeMap<>();
        read(from, to, segment -> segment.range(series, from, to, found));
        return found;
    }

    /** Hands over the rows of all series whose names begin so. A file that turns out to be broken is set aside. */
    void each(String prefix, long from, long to, History.Rows rows) {
        read(from, to, segment -> segment.each(prefix, from, to, rows));
    }

    private void read(long from, long to, Consumer<Segment> read) {
        for (Path file : List.copyOf(files.values())) {
            Known of = known.get(file);
            if (of != null && (of.last < from || of.first > to)) {
                continue;
            }
            try {
                read.accept(current != null && current.file().equals(file) ? current : reader(file));
            } catch (RuntimeException e) {
                if (current != null && current.file().equals(file)) {
                    dropCurrent();
                }
                failed(file, e);
            }
        }
    }

    private Segment reader(Path file) {
        Segment open = readers.get(file);
        if (open == null) {
            if (!known.containsKey(file)) {
                try {
                    check(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            open = Segment.open(file, false);
            readers.put(file, open);
            known.put(file, new Known(open.firstWindow(), open.lastWindow()));
            if (readers.size() > OPEN) {
                close(readers.remove(readers.keySet().iterator().next()));
            }
        }
        return open;
    }

    private static void close(Segment segment) {
        if (segment != null) {
            segment.close();
        }
    }

    /** Sets a broken file aside, for who wants to look at it: one such file is kept. Others are tried again. */
    private void failed(Path file, RuntimeException failure) {
        Segment reader = readers.remove(file);
        if (reader != null) {
            reader.drop();
        }
        if (!Segment.isCorrupt(failure)) {
            note.accept(file.getFileName() + " cannot be read: " + reason(failure));
            return;
        }
        LOG.warn("{} is corrupt: {}", file, reason(failure));
        files.values().remove(file);
        known.remove(file);
        try {
            removeCorrupt();
            Path aside = file.resolveSibling(file.getFileName() + SegmentName.CORRUPT);
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            note.accept(file.getFileName() + " is corrupt, and was set aside as " + aside.getFileName() + ": "
                    + reason(failure));
        } catch (IOException | UncheckedIOException e) {
            note.accept(file.getFileName() + " is corrupt, and cannot be set aside: " + e.getMessage());
        }
    }

    /** Returns what a failure comes from, in the words of who knows. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** Returns the bytes of all files, with those set aside. */
    long bytes() {
        long sum = 0;
        try {
            for (String ending : new String[] {SegmentName.ENDING, SegmentName.CORRUPT}) {
                for (Path file : list(ending)) {
                    sum += size(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // gone
        }
    }

    @Override
    public void close() {
        List<Segment> all = List.copyOf(readers.values());
        readers.clear();
        all.forEach(Segment::close);
        if (current != null) {
            finish();
        }
    }
}
