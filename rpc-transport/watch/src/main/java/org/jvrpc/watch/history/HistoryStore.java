package org.jvrpc.watch.history;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * History in files of H2's MVStore. A row is taken over by a queue of at most 8 MiB, and a thread writes it: who puts
 * never waits for the disk. It is on the disk about a second later, or lost with the process. A row that does not fit
 * into the queue, or comes while the disk takes none, is dropped and counted; each minute it is tried again. Reading
 * waits at most two seconds for the writer, then has nothing.
 *
 * @see <a href="https://www.h2database.com/html/mvstore.html">MVStore</a>
 */
public final class HistoryStore implements History {

    /** The least bound. */
    public static final long LEAST_BOUND = 64L << 20;

    static final int MOST_ROW = 1 << 20;

    /** Names of two racks and their pods, with all that has to be escaped. */
    private static final int MOST_SERIES = 2048;
    private static final long MOST_QUEUED = 8 << 20;
    private static final long MOST_UNWRITTEN = 1 << 20;
    private static final int UNWRITTEN_PARTS = 64;
    private static final int ROW_COST = 64;
    private static final int PARTS = 16;
    private static final long WINDOWS = 120;
    private static final long IDLE_MS = 1000;
    private static final long READ_WAIT_MS = 2000;
    private static final long CLOSE_MS = 10_000;
    private static final long NOTE_NS = TimeUnit.HOURS.toNanos(1);

    private record Row(String series, long window, byte[] bytes) {

        long cost() {
            return bytes.length + 2L * series.length() + ROW_COST;
        }
    }

    private final Path folder;
    private final long bound;
    private final long mostUnwritten;
    private final long retryNs;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final Segments segments;
    private final ReentrantLock disk = new ReentrantLock();
    private final Thread writer = new Thread(this::write, "watch-history");
    private final Object queueLock = new Object();
    private final ArrayDeque<Row> queue = new ArrayDeque<>();
    private long queued;
    private boolean writing;
    private boolean closed;
    private long dropped;
    private String failure;
    private long failedNs;
    private String note;
    private long notedNs;
    private volatile long bytes;

    private HistoryStore(Path folder, long bound, long retryNs) throws IOException {
        this.folder = folder.toAbsolutePath();
        this.bound = bound;
        this.mostUnwritten = Math.min(MOST_UNWRITTEN, bound / UNWRITTEN_PARTS);
        this.retryNs = retryNs;
        Files.createDirectories(folder);
        lockFile = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            lock = lock(lockFile);
            if (lock == null) {
                throw new IOException(folder + " is another process's: it has the file lock");
            }
            segments = new Segments(this.folder, bound, WINDOWS, bound / PARTS, this::note);
            bytes = segments.bytes();
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Opens a folder, which is made if it is not there.
     *
     * @param bound most bytes on the disk, at least {@link #LEAST_BOUND}
     * @throws IOException if the folder cannot be made or is another process's
     */
    public static HistoryStore open(Path folder, long bound) throws IOException {
        if (bound < LEAST_BOUND) {
            throw new IllegalArgumentException("bound=" + bound + " is less than " + LEAST_BOUND);
        }
        return open(folder, bound, TimeUnit.MINUTES.toNanos(1));
    }

    static HistoryStore open(Path folder, long bound, long retryNs) throws IOException {
        return new HistoryStore(folder, bound, retryNs);
    }

    private static FileLock lock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this process's
        }
    }

    @Override
    public void put(String series, long window, byte[] row) {
        if (series.isEmpty() || series.length() > MOST_SERIES || window < 0 || window > Segment.MOST_WINDOW
                || row.length > MOST_ROW) {
            throw new IllegalArgumentException("series of " + series.length() + " characters, window=" + window
                    + ", row of " + row.length + " bytes");
        }
        Row copy = new Row(series, window, row.clone());
        synchronized (queueLock) {
            if (closed || queued + copy.cost() > MOST_QUEUED) {
                dropped++;
                return;
            }
            queue.add(copy);
            queued += copy.cost();
            queueLock.notifyAll();
        }
    }

    private Row next(long waitMs) throws InterruptedException {
        synchronized (queueLock) {
            writing = false;
            queueLock.notifyAll();
            if (queue.isEmpty() && !closed) {
                queueLock.wait(waitMs);
            }
            Row row = queue.poll();
            if (row != null) {
                queued -= row.cost();
                writing = true;
            }
            return row;
        }
    }

    private boolean isClosed() {
        synchronized (queueLock) {
            return closed && queue.isEmpty();
        }
    }

    private void write() {
        long unwritten = 0;
        long rows = 0;
        long sinceNs = 0;
        try {
            while (true) {
                Row row = next(IDLE_MS);
                if (row != null && !maySucceed()) {
                    drop(1);
                    continue;
                }
                disk.lock();
                try {
                    if (row != null) {
                        sinceNs = unwritten == 0 ? System.nanoTime() : sinceNs;
                        unwritten += row.cost();
                        rows++;
                        segments.put(row.series, row.window, row.bytes);
                    }
                    boolean late = System.nanoTime() - sinceNs > TimeUnit.MILLISECONDS.toNanos(IDLE_MS);
                    if (unwritten > 0 && (row == null || late || unwritten > mostUnwritten)) {
                        segments.commit(unwritten);
                        unwritten = 0;
                        rows = 0;
                        bytes = segments.bytes();
                        succeeded();
                    }
                    if (row == null && isClosed()) {
                        segments.close();
                        bytes = segments.bytes();
                        return;
                    }
                } catch (RuntimeException e) { // also what a broken file leads H2 to
                    if (segments.replace(e, unwritten)) {
                        bytes = segments.bytes();
                        succeeded();
                    } else {
                        failed(e, rows);
                    }
                    unwritten = 0;
                    rows = 0;
                } catch (Error e) {
                    segments.forget();
                    failed(e, rows);
                    unwritten = 0;
                    rows = 0;
                } finally {
                    disk.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close() gives up
        }
    }

    private void drop(long rows) {
        synchronized (queueLock) {
            dropped += rows;
        }
    }

    private boolean maySucceed() {
        synchronized (queueLock) {
            return failure == null || System.nanoTime() - failedNs >= retryNs;
        }
    }

    private void succeeded() {
        synchronized (queueLock) {
            failure = null;
        }
    }

    private void failed(Throwable e, long rows) {
        synchronized (queueLock) {
            failure = Segments.reason(e);
            failedNs = System.nanoTime();
            dropped += rows;
        }
    }

    private void note(String text) {
        synchronized (queueLock) {
            note = text;
            notedNs = System.nanoTime();
        }
    }

    @Override
    public void range(String series, long from, long to, BiConsumer<Long, byte[]> each) {
        Objects.requireNonNull(series);
        SortedMap<Long, byte[]> found = new TreeMap<>();
        try {
            if (disk.tryLock(READ_WAIT_MS, TimeUnit.MILLISECONDS)) {
                try {
                    found = segments.range(series, Math.max(0, from), Math.min(to, Segment.MOST_WINDOW));
                } finally {
                    disk.unlock();
                }
            } else {
                note("the disk is slow: a reader waited " + READ_WAIT_MS + " ms for the writer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // has nothing
        }
        found.forEach(each);
    }

    @Override
    public void each(String prefix, long from, long last, Rows to) {
        disk.lock();
        try {
            segments.each(prefix, Math.max(0, from), Math.min(last, Segment.MOST_WINDOW), to);
        } finally {
            disk.unlock();
        }
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long bound() {
        return bound;
    }

    /** Returns why nothing is kept at the moment, or, for an hour, what was found broken; null: all is well. */
    @Override
    public String trouble() {
        synchronized (queueLock) {
            if (failure != null) {
                return "no history is kept in " + folder + ": " + failure + "; rows dropped: " + dropped;
            }
            return note != null && System.nanoTime() - notedNs < NOTE_NS ? note : null;
        }
    }

    /** Returns how many rows were dropped since it was opened. */
    public long dropped() {
        synchronized (queueLock) {
            return dropped;
        }
    }

    /** Waits until what was put is where a reader finds it. */
    void settle() throws InterruptedException {
        synchronized (queueLock) {
            while (writing || !queue.isEmpty()) {
                queueLock.wait();
            }
        }
    }

    /** Writes what was put, within ten seconds; a disk that takes longer has the rest lost. Idempotent. */
    @Override
    public void close() {
        synchronized (queueLock) {
            closed = true;
            queueLock.notifyAll();
        }
        try {
            writer.join(CLOSE_MS);
            if (!writer.isAlive()) {
                lock.release();
                lockFile.close();
            }
        } catch (IOException e) {
            // The lock goes with the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
