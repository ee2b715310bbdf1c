package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/**
 * Where an SGE of an inline request takes its bytes from. Keeps a view of its region, so that nothing is made anew as
 * long as the region is the same. One thread.
 */
final class InlineSource {

    /** A view must not cross a multiple of this offset of a region. */
    private static final long PIECE = 1L << 30;

    private final LkeyTable keys;
    private MemoryRegion region;
    private ByteBuffer view;
    private long viewAddress;
    private int offset;
    private int length;

    InlineSource(LkeyTable keys) {
        this.keys = keys;
    }

    /** Finds the bytes. @throws VerbsException when they are not of registered memory */
    void look(long address, int lkey, int bytes) {
        length = bytes;
        if (bytes == 0) {
            return;
        }
        MemoryRegion found = keys.findForProcessor(address, lkey, bytes);
        if (found == null) {
            throw new VerbsException("post_send", "inline data outside registered memory of its own: address=0x"
                    + Long.toHexString(address) + " length=" + bytes);
        }
        long distance = address - viewAddress;
        if (found != region || distance < 0 || distance + bytes > view.capacity()) {
            map(found, address - found.address(), bytes);
        }
        offset = (int) (address - viewAddress);
    }

    private void map(MemoryRegion found, long from, int bytes) {
        long begin = from & -PIECE;
        long end = Math.min(found.length(), begin + PIECE);
        if (from + bytes > end) {
            throw new VerbsException("post_send", "inline data crosses a multiple of 1 GiB of its region: offset="
                    + from + " length=" + bytes);
        }
        view = found.buffer(begin, (int) (end - begin));
        viewAddress = found.address() + begin;
        region = found;
    }

    /** Copies the bytes that were found; returns where the next ones go. */
    int copy(ByteBuffer target, int at) {
        if (length > 0) {
            target.put(at, view, offset, length);
        }
        return at + length;
    }
}
