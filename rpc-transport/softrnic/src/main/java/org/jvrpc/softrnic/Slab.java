package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A range of a device's address space: a mapped file, or direct memory. Mapped in windows of 1 GiB.
 *
 * <pre>
 * address 0 … 23: segment number + 1 | 24 … 33: window | 34 … 63: offset in the window      (bit 0 the highest)
 * </pre>
 */
final class Slab {

    /** Bits of an address below the segment number. */
    static final int SEGMENT_SHIFT = 40;
    /** Bits of an address below the window number. */
    static final int WINDOW_SHIFT = 30;
    /** Bytes of a window. */
    static final long WINDOW = 1L << WINDOW_SHIFT;
    /** The most segments of a device. */
    static final int MAX_SEGMENTS = (1 << 23) - 2;

    private static final int CHUNK = 1 << 18;
    private static final long LARGE = 64L << 20;

    private final long base;
    private final long length;
    private final ByteBuffer[] windows;

    private Slab(int segment, long length, ByteBuffer[] windows) {
        this.base = baseOf(segment);
        this.length = length;
        this.windows = windows;
    }

    static long baseOf(int segment) {
        return segment + 1L << SEGMENT_SHIFT;
    }

    /** Returns the segment of an address; meaningless for addresses that no slab has. */
    static int segmentOf(long address) {
        return (int) (address >>> SEGMENT_SHIFT) - 1;
    }

    /**
     * Refuses what the machine has no memory for: a tmpfs of the usual size promises more than there is, and taking it
     * would have the kernel kill somebody.
     */
    private static void checkAvailable(long length) throws IOException {
        Path meminfo = Path.of("/proc/meminfo");
        if (length < LARGE || !Files.isReadable(meminfo)) {
            return;
        }
        for (String line : Files.readAllLines(meminfo)) {
            if (line.startsWith("MemAvailable:")) {
                long available = Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                if (length > available - LARGE) {
                    throw new IOException("not enough memory: available bytes=" + available);
                }
            }
        }
    }

    /** Makes the file, writes zeros to all of it so that memory that is not there is missed now, and maps it. */
    static Slab create(Path file, int segment, long length) throws IOException {
        checkAvailable(length);
        try (FileChannel channel = (FileChannel) Files.newByteChannel(
                file,
                java.util.Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(length, CHUNK));
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

    /** Maps a peer's file. */
    static Slab open(Path file, int segment) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return map(channel, segment, channel.size());
        }
    }

    private static Slab map(FileChannel channel, int segment, long length) throws IOException {
        ByteBuffer[] windows = new ByteBuffer[(int) (length + WINDOW - 1 >>> WINDOW_SHIFT)];
        for (int i = 0; i < windows.length; i++) {
            long at = (long) i << WINDOW_SHIFT;
            windows[i] = channel.map(FileChannel.MapMode.READ_WRITE, at, Math.min(WINDOW, length - at))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return new Slab(segment, length, windows);
    }

    /** Gives direct memory an address. */
    static Slab wrap(ByteBuffer direct, int segment) {
        ByteBuffer slice = direct.slice().order(ByteOrder.LITTLE_ENDIAN);
        return new Slab(segment, slice.capacity(), new ByteBuffer[] {slice});
    }

    long base() {
        return base;
    }

    long length() {
        return length;
    }

    /** Returns true when so many bytes from the address on lie in this slab; no overflow fools it. */
    boolean contains(long address, long bytes) {
        long offset = address - base;
        return offset >= 0 && bytes >= 0 && bytes <= length - offset && offset <= length;
    }

    /** As {@link #contains}, and without crossing into another window. */
    boolean containsInWindow(long address, long bytes) {
        return contains(address, bytes) && bytes <= untilWindowEnd(address);
    }

    /** Returns the window that holds an address of this slab. */
    ByteBuffer window(long address) {
        return windows[(int) (address - base >>> WINDOW_SHIFT)];
    }

    /**
     * Returns a view of some bytes of a region of this slab, little-endian.
     *
     * @throws IndexOutOfBoundsException outside the region, and across the end of a window
     */
    ByteBuffer view(long address, long length, long offset, int bytes) {
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
    static int index(long address) {
        return (int) (address & WINDOW - 1);
    }

    /** Returns how many bytes from an address on lie in its window. */
    static long untilWindowEnd(long address) {
        return WINDOW - (address & WINDOW - 1);
    }
}
