package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's own memory that peers can map: slabs in files. Small pieces share a slab, large ones have their own. A
 * piece is never given out twice; a slab goes with its last piece. Any thread.
 */
final class Arena implements AddressSpace {

    private static final Logger LOG = LoggerFactory.getLogger(Arena.class);
    private static final long SHARED_SLAB = 1L << 20;
    private static final long LARGE = SHARED_SLAB / 4;
    /** Alignment of whatever is allocated, in bytes. */
    static final int ALIGNMENT = 128;
    /** The most bytes of one piece: half of a segment's addresses. */
    private static final long LIMIT = 1L << Slab.SEGMENT_SHIFT - 1;
    private static final long PAGE = 4096;
    /** Mappings dropped since the garbage collector was last asked to look for them. */
    private static final int DROPPED_SLABS_LIMIT = 256;
    private static final long DROPPED_BYTES_LIMIT = 1L << 30;

    private static int droppedSlabs;
    private static long droppedBytes;

    private final Path folder;
    private int nextSegment;
    private Piece current;
    private long used;
    /** By segment; null for what is dropped, and for memory outside the arena. */
    private volatile Slab[] slabs = new Slab[4];

    Arena(Path folder) {
        this.folder = folder;
    }

    /** A slab that is being given out, with the number of pieces alive. */
    private static final class Piece {
        private final Slab slab;
        private final Path file;
        private int alive;

        Piece(Slab slab, Path file) {
            this.slab = slab;
            this.file = file;
        }
    }

    /** Allocated memory. */
    final class Block {
        private final Piece piece;
        private final long address;
        private boolean freed;

        private Block(Piece piece, long address) {
            this.piece = piece;
            this.address = address;
        }

        Slab slab() {
            return piece.slab;
        }

        long address() {
            return address;
        }

        /** Gives the memory back. Idempotent. */
        void free() {
            release(this);
        }
    }

    /** Allocates zeroed memory, aligned to 128 bytes. */
    synchronized Block allocate(long bytes) {
        if (bytes > LIMIT) {
            throw new VerbsException("alloc", "more than a region can have: bytes=" + bytes + " limit=" + LIMIT);
        }
        long rounded = bytes + ALIGNMENT - 1 & -ALIGNMENT;
        if (rounded >= LARGE) {
            Piece piece = newPiece(rounded + PAGE - 1 & -PAGE);
            piece.alive = 1;
            return new Block(piece, piece.slab.base());
        }
        if (current == null || used + rounded > current.slab.length()) {
            Piece old = current;
            current = newPiece(SHARED_SLAB);
            used = 0;
            if (old != null && old.alive == 0) {
                drop(old);
            }
        }
        Block block = new Block(current, current.slab.base() + used);
        used += rounded;
        current.alive++;
        return block;
    }

    private synchronized void release(Block block) {
        if (!block.freed) {
            block.freed = true;
            if (--block.piece.alive == 0 && block.piece != current) {
                drop(block.piece);
            }
        }
    }

    /** Returns a segment number for memory outside the arena. */
    synchronized int claimSegment() {
        if (nextSegment >= Slab.MAX_SEGMENTS) {
            throw new VerbsException("reg_mr", "address space is used up: segments=" + nextSegment);
        }
        return nextSegment++;
    }

    private Piece newPiece(long length) {
        int segment = claimSegment();
        Path file = folder.resolve(Integer.toString(segment));
        try {
            Piece piece = new Piece(Slab.create(file, segment, length), file);
            note(segment, piece.slab);
            return piece;
        } catch (IOException | OutOfMemoryError e) {
            throw new VerbsException("alloc", "no memory: bytes=" + length + " in " + folder.getParent() + ": " + e, e);
        }
    }

    private void note(int segment, Slab slab) {
        Slab[] copy = Arrays.copyOf(slabs, Math.max(slabs.length, segment + 1));
        copy[segment] = slab;
        slabs = copy;
    }

    @Override
    public Slab find(long address, long bytes) {
        int segment = Slab.segmentOf(address);
        Slab[] known = slabs;
        Slab slab = segment >= 0 && segment < known.length ? known[segment] : null;
        return slab != null && slab.contains(address, bytes) ? slab : null;
    }

    @Override
    public String place() {
        return folder.toString();
    }

    /** Does nothing: the arena goes with its device. */
    @Override
    public void close() {
    }

    private void drop(Piece piece) {
        note(Slab.segmentOf(piece.slab.base()), null);
        try {
            Files.deleteIfExists(piece.file);
        } catch (IOException e) {
            LOG.warn("cannot delete {}: {}", piece.file, e.toString());
        }
        dropped(piece.slab.length());
    }

    /**
     * Counts a mapping that nobody uses any more. Java 17 unmaps when the collector finds the buffer dead, which in a
     * program that allocates little is never: so it is asked, once for many mappings, on a thread of its own.
     */
    static void dropped(long bytes) {
        synchronized (Arena.class) {
            droppedSlabs++;
            droppedBytes += bytes;
            if (droppedSlabs < DROPPED_SLABS_LIMIT && droppedBytes < DROPPED_BYTES_LIMIT) {
                return;
            }
            droppedSlabs = 0;
            droppedBytes = 0;
        }
        Thread collector = new Thread(System::gc, "jvrpc-unmap");
        collector.setDaemon(true);
        collector.start();
    }
}
