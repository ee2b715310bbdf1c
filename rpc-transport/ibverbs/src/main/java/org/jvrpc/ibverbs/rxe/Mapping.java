package org.jvrpc.ibverbs.rxe;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Mmap;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.verbs.VerbsException;

/**
 * Memory of the kernel that is mapped here. It is given back when the collector finds that nobody holds its buffer any
 * more, so that a poll or a post that comes too late reads stale bytes instead of ending the process; the kernel keeps
 * the pages as long as they are mapped, also when the object, or the device, is gone. Any thread.
 */
final class Mapping {

    private static final Cleaner CLEANER = Cleaner.create();
    private static final long PAGE = 4096;
    /** Memory that was let go of since the collector was last asked. */
    private static final AtomicLong DROPPED = new AtomicLong();
    private static final long ASK_AFTER = 256L << 20;

    private Mapping() {
    }

    /** Maps what a command said. @throws NativeException when there is no more memory */
    static ByteBuffer map(int fd, long offset, int bytes, String operation) {
        if (bytes < RxeQueue.BYTES) {
            throw new VerbsException(operation, "the kernel gave no ring, size=" + bytes);
        }
        long length = bytes + PAGE - 1 & -PAGE;
        long address = Mmap.mmap(length, LibC.PROT_READ | LibC.PROT_WRITE, LibC.MAP_SHARED, fd, offset);
        if (address == -1) {
            throw NativeException.last(operation, "mmap of a ring: offset=" + offset + " length=" + length);
        }
        ByteBuffer view = Native.view(address, bytes);
        CLEANER.register(view, () -> Libraries.c().munmap(address, length));
        return view;
    }

    /** Notes that nobody needs a mapping any more. */
    static void drop(ByteBuffer view) {
        if (DROPPED.addAndGet(view.capacity()) >= ASK_AFTER) {
            DROPPED.set(0);
            System.gc();
        }
    }
}
