package org.jvrpc.softrnic.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * A range of a device's address space: a mapped file, or direct memory. Mapped in windows of 1 GiB.
 *
 * <pre>
 * address 0 … 23: segment number + 1 | 24 … 33: window | 34 … 63: offset in the window      (bit 0 the highest)
 * </pre>
 */
public final class Slab {

    /** Bits of an address below the segment number. */
    public static final int SEGMENT_SHIFT = 40;
    /** Bits of an address below the window number. */
    static final int WINDOW_SHIFT = 30;
    /** Bytes of a window. */
    public static final long WINDOW = 1L << WINDOW_SHIFT;
    /** The most segments of a device. */
    public static final int MAX_SEGMENTS = (1 << 23) - 2;

    private static final int CHUNK = 1 << 18;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(CHUNK);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final long base;
    private final long length;
    private final ByteBuffer[] windows;
    private final boolean adopted;
    private final Atomics atomics;

    private Slab(int segment, long length, ByteBuffer[] windows, boolean adopted, Atomics atomics) {
        this.base = baseOf(segment);
        this.length = length;
        this.windows = windows;
        this.adopted = adopted;
        this.atomics = atomics;
    }

    public static long baseOf(int segment) {
        return segment + 1L << SEGMENT_SHIFT;
    }

    /** Returns the segment of an address; meaningless for addresses that no slab has. */
    public static int segmentOf(long address) {
        return (int) (address >>> SEGMENT_SHIFT) - 1;
    }

    /** Makes the file, writes zeros to all of it so that memory that is not there is missed now, and maps it. */
    static Slab create(Path file, int segment, long length) throws IOException {
        MemoryBudget.HOST.check(length);
        return Uninterrupted.run(() -> createNow(file, segment, length));
    }

    private static Slab createNow(Path file, int segment, long length) throws IOException {
        try (FileChannel channel = (FileChannel) Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OWNER_ONLY)) {
            ByteBuffer zeros = ZEROS.duplicate();
            for (long at = 0; at < length;) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), length - at));
                at += channel.write(zeros, at);
            }
            return map(channel, segment, length);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /**
     * Maps a peer's file.
     *
     * @throws IOException also for a file that has a length but no memory behind it: a page that is touched there may
     *     not be had any more
     */
    public static Slab open(Path file, int segment) throws IOException {
        return Uninterrupted.run(() -> openNow(file, segment));
    }

    private static Slab openNow(Path file, int segment) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long length = channel.size();
            long used = file.toFile().getTotalSpace() - file.toFile().getFreeSpace(); // of all its file system
            if (length < 1 || length > used) {
                throw new IOException("the slab cannot be whole: its length=" + length
                        + ", bytes used in all of its file system=" + used);
            }
            return map(channel, segment, length);
        }
    }

    /**
     * Deletes a slab's file.
     *
     * @param returned true when nobody can touch the memory any more: it is returned to the system at once, not when
     *     the last mapping of any process has gone
     */
    public static void remove(Path file, boolean returned) throws IOException {
        if (returned && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            Uninterrupted.run(() -> truncate(file));
        }
        Files.deleteIfExists(file);
    }

    private static Void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            channel.truncate(0);
        }
        return null;
    }

    /**
     * Maps the first bytes of a file that is open for reading and writing, and as long, and that its owner may cut at
     * any time: one thread executes all remote atomics there are on it.
     */
    public static Slab of(FileChannel channel, int segment, long length) throws IOException {
        return Uninterrupted.run(() -> map(channel, segment, length, Atomics.ALONE));
    }

    static Slab map(FileChannel channel, int segment, long length) throws IOException {
        return map(channel, segment, length, Atomics.SHARED);
    }

    private static Slab map(FileChannel channel, int segment, long length, Atomics atomics) throws IOException {
        ByteBuffer[] windows = new ByteBuffer[(int) (length + WINDOW - 1 >>> WINDOW_SHIFT)];
        for (int i = 0; i < windows.length; i++) {
            long at = (long) i << WINDOW_SHIFT;
            windows[i] = channel.map(FileChannel.MapMode.READ_WRITE, at, Math.min(WINDOW, length - at))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return new Slab(segment, length, windows, false, atomics);
    }

    /** Gives direct memory an address. */
    public static Slab wrap(ByteBuffer direct, int segment) {
        int length = direct.remaining();
        ByteBuffer[] windows = new ByteBuffer[Math.max(1, (int) (length + WINDOW - 1 >>> WINDOW_SHIFT))];
        for (int i = 0; i < windows.length; i++) {
            int at = (int) (i * WINDOW);
            windows[i] = direct.slice(direct.position() + at, (int) Math.min(WINDOW, length - at))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return new Slab(segment, length, windows, false, Atomics.SHARED);
    }

    /** Gives somebody else's memory of one window an address: it may vanish, see {@link #told}. */
    public static Slab adopt(ByteBuffer direct, int segment) {
        ByteBuffer whole = direct.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        return new Slab(segment, whole.capacity(), new ByteBuffer[] {whole}, true, Atomics.ALONE);
    }

    /**
     * Has it told whether memory was there that was just touched, where it may vanish.
     *
     * @throws InternalError when it was not
     */
    public void told() {
        if (adopted) {
            LateFaults.tell();
        }
    }

    /** Fills a part with zeros; nothing for a length of 0 or less. */
    void zero(long address, long bytes) {
        for (long at = address; at < address + bytes;) {
            int piece = (int) Math.min(Math.min(CHUNK, address + bytes - at), untilWindowEnd(at));
            window(at).put(index(at), ZEROS, 0, piece);
            at += piece;
        }
    }

    public long base() {
        return base;
    }

    public long length() {
        return length;
    }

    /** Returns by what remote atomics are executed here. */
    public Atomics atomics() {
        return atomics;
    }

    /** Returns true when so many bytes from the address on lie in this slab; no overflow fools it. */
    public boolean contains(long address, long bytes) {
        long offset = address - base;
        return offset >= 0 && bytes >= 0 && bytes <= length - offset && offset <= length;
    }

    /** As {@link #contains}, and without crossing into another window. */
    public boolean containsInWindow(long address, long bytes) {
        return contains(address, bytes) && bytes <= untilWindowEnd(address);
    }

    /** Returns the window that holds an address of this slab. */
    public ByteBuffer window(long address) {
        return windows[(int) (address - base >>> WINDOW_SHIFT)];
    }

    /**
     * Returns a view of some bytes of a region of this slab, little-endian.
     *
     * @throws IndexOutOfBoundsException outside the region, and across the end of a window
     */
    public ByteBuffer view(long address, long length, long offset, int bytes) {
        Objects.checkFromIndexSize(offset, bytes, length);
        long from = address + offset;
        if (bytes > untilWindowEnd(from)) {
            throw new IndexOutOfBoundsException("a view cannot cross a multiple of bytes=" + WINDOW + ": offset="
                    + offset + " length=" + bytes);
        }
        if (bytes == 0) {
            return ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);
        }
        return window(from).slice(index(from), bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns where in its window an address lies. */
    public static int index(long address) {
        return (int) (address & WINDOW - 1);
    }

    /** Returns how many bytes from an address on lie in its window. */
    public static long untilWindowEnd(long address) {
        return WINDOW - (address & WINDOW - 1);
    }
}
