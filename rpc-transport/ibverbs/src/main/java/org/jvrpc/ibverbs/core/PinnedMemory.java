package org.jvrpc.ibverbs.core;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Mmap;
import org.jvrpc.ibverbs.binding.Native;

/**
 * Zeroed memory of whole pages, of any length, seen through buffers of 1 GiB each. A piece is given back when the
 * collector finds that nobody holds a buffer of it any more: a view that is used too late reads stale bytes, it does
 * not end the process. Any thread.
 */
final class PinnedMemory {

    private static final Cleaner CLEANER = Cleaner.create();
    private static final long PIECE = 1L << 30;
    private static final long PAGE = 4096;
    /** Memory that regions let go of since the collector was last asked. */
    private static final AtomicLong DROPPED = new AtomicLong();
    private static final long ASK_AFTER = 1L << 30;

    private final long address;
    private final long length;
    private final ByteBuffer[] pieces;

    private PinnedMemory(long address, long length) {
        this.address = address;
        this.length = length;
        this.pieces = new ByteBuffer[(int) ((length + PIECE - 1) / PIECE)];
        for (int i = 0; i < pieces.length; i++) {
            long from = address + i * PIECE;
            long bytes = Math.min(PIECE, length - i * PIECE);
            pieces[i] = Native.view(from, (int) bytes);
            CLEANER.register(pieces[i], () -> Libraries.c().munmap(from, bytes + PAGE - 1 & -PAGE));
        }
    }

    /** Maps memory. @throws NativeException when there is none: the message names how much was asked */
    static PinnedMemory map(long length) {
        if (length < 1) {
            throw new IllegalArgumentException("length must be at least 1, length=" + length);
        }
        long address = Mmap.mmap(length + PAGE - 1 & -PAGE, LibC.PROT_READ | LibC.PROT_WRITE,
                LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS, -1, 0);
        if (address == -1) {
            throw NativeException.last("reg_mr", "no memory for length=" + length);
        }
        return new PinnedMemory(address, length);
    }

    long address() {
        return address;
    }

    ByteBuffer buffer(long offset, int bytes) {
        if (offset < 0 || bytes < 0 || offset + bytes > length) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + bytes + " region length=" + length);
        }
        int piece = (int) Math.min(offset / PIECE, pieces.length - 1);
        long at = offset - piece * PIECE;
        if (at + bytes > pieces[piece].capacity()) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + bytes
                    + " crosses a multiple of 1 GiB: take two views");
        }
        return pieces[piece].slice((int) at, bytes);
    }

    /** Notes that nobody needs the memory any more. */
    void drop() {
        if (DROPPED.addAndGet(length) >= ASK_AFTER) {
            DROPPED.set(0);
            System.gc();
        }
    }
}
