package org.jvrpc.softrnic.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's own memory that peers can map: slabs in files. Small pieces share slabs, large ones have their own. What
 * is given back is used again, at once or when a {@link Quarantine} has found that no peer can be late; slabs without a
 * piece are kept up to a limit, beyond it their memory is returned to the system. Any thread.
 */
public final class Arena implements AddressSpace {

    private static final Logger LOG = LoggerFactory.getLogger(Arena.class);
    private static final long SHARED_SLAB = 1L << 20;
    /** The first slab of small pieces, usually: room for the table and a session; of a client it is the only one. */
    public static final long FIRST_SHARED_SLAB = 80L << 10;
    private static final long LARGE = SHARED_SLAB / 4;
    /** Alignment of whatever is allocated, in bytes. */
    public static final int ALIGNMENT = 128;
    /** The most bytes of one piece: half of a segment's addresses. */
    private static final long LIMIT = 1L << Slab.SEGMENT_SHIFT - 1;
    private static final long PAGE = 4096;
    /** Bytes of slabs without a piece that are kept for the next sessions. */
    public static final long KEPT_BYTES = 16L << 20;

    private static final AtomicLong BIRTHS = new AtomicLong();

    private final Path folder;
    private final Set<PosixFilePermission> mode;
    private final long firstSlab;
    private final List<Room> rooms = new ArrayList<>();
    private final List<Block> tables = new ArrayList<>();
    private int nextSegment;
    private boolean ended;
    /** By segment; null for what is dropped, and for memory outside the arena. */
    private volatile Slab[] slabs = new Slab[4];

    public Arena(Path folder) {
        this(folder, null, FIRST_SHARED_SLAB);
    }

    /**
     * As above.
     *
     * @param mode of the slabs' files; null for their owner's alone
     * @param firstSlab bytes of the first slab of small pieces, at most {@link #FIRST_SHARED_SLAB}
     */
    public Arena(Path folder, Set<PosixFilePermission> mode, long firstSlab) {
        this.folder = folder;
        this.mode = mode;
        this.firstSlab = firstSlab;
    }

    /** Allocated memory. */
    public final class Block implements Piece {

        /** Higher than that of each block of this process that was allocated before. */
        private final long birth = BIRTHS.incrementAndGet();
        private final Room room;
        private final long address;
        private final long length;
        private boolean retired;
        private int holds;
        private boolean tainted;

        private Block(Room room, long address, long length) {
            this.room = room;
            this.address = address;
            this.length = length;
        }

        @Override
        public Slab slab() {
            return room.slab();
        }

        @Override
        public long address() {
            return address;
        }

        long length() {
            return length;
        }

        long birth() {
            return birth;
        }

        /** Gives back memory that no peer could write to. Idempotent. */
        public void free() {
            if (retire(1)) {
                settle(true);
            }
        }

        /** Gives back memory that somebody may write to at any time: it is never used again. Idempotent. */
        public void abandon() {
            if (retire(1)) {
                settle(false);
            }
        }

        /** Notes that its user has given it back; false when that is so already. {@link #settle} follows so often. */
        boolean retire(int times) {
            synchronized (Arena.this) {
                if (retired) {
                    return false;
                }
                retired = true;
                holds = times;
                room.retire();
                return true;
            }
        }

        /** Puts it to use again, unless it is tainted. */
        void settle(boolean clean) {
            synchronized (Arena.this) {
                tainted |= !clean;
                if (--holds == 0) {
                    settled(room, address, length, tainted);
                }
            }
        }
    }

    /** Returns the birth of the block that was allocated last. */
    static long lastBirth() {
        return BIRTHS.get();
    }

    /** Allocates zeroed memory, aligned to 128 bytes. */
    public synchronized Block allocate(long bytes) {
        if (bytes > LIMIT) {
            throw new VerbsException("alloc", "more than a region can have: bytes=" + bytes + " limit=" + LIMIT);
        }
        long rounded = bytes + ALIGNMENT - 1 & -ALIGNMENT;
        boolean large = rounded >= LARGE;
        Room room = large ? emptyRoom(rounded, 2 * rounded) : sharedRoom(rounded);
        if (room == null) {
            room = newRoom(large ? rounded + PAGE - 1 & -PAGE : sharedSlab(rounded));
        }
        return new Block(room, room.take(rounded, !large), rounded);
    }

    /** Allocates zeroed memory at the beginning of a slab of its own, whose base is its address. */
    public synchronized Block allocateAlone(long bytes) {
        if (bytes > LIMIT) {
            throw new VerbsException("alloc", "more than a region can have: bytes=" + bytes + " limit=" + LIMIT);
        }
        long rounded = Math.max(PAGE, bytes + PAGE - 1 & -PAGE);
        Room kept = emptyRoom(rounded, 2 * rounded);
        Room room = kept != null ? kept : newRoom(rounded);
        return new Block(room, room.take(room.slab().length(), false), room.slab().length());
    }

    /**
     * Allocates the device's first memory, at the start of slab 0.
     *
     * @param firstSegment the least of all other slabs; 0 where there was no home before. Else slab 0 has nothing else:
     *     its addresses are those of that home's, too
     */
    public synchronized Block begin(long bytes, int firstSegment) {
        boolean share = firstSegment == 0;
        Room room = newRoom(share ? firstSlab : bytes + PAGE - 1 & -PAGE);
        skipTo(firstSegment);
        Block block = new Block(room, room.take(bytes, share), bytes);
        tables.add(block);
        return block;
    }

    /** Allocates memory that the device needs itself, until it ends; zeroed, in one window. */
    public synchronized Block allocateTable(long bytes) {
        Block table = allocate(bytes);
        tables.add(table);
        return table;
    }

    /** Returns the smallest slab without a piece that fits, and is no longer than {@code most}; null for none. */
    private Room emptyRoom(long bytes, long most) {
        Room best = null;
        for (Room room : rooms) {
            long length = room.slab().length();
            if (room.isEmpty() && length >= bytes && length <= most
                    && (best == null || length < best.slab().length())) {
                best = room;
            }
        }
        return best;
    }

    /** Returns the oldest slab of small pieces that has room, so that the younger ones get empty; null for none. */
    private Room sharedRoom(long bytes) {
        for (Room room : rooms) {
            if (room.isShared() && room.fits(bytes)) {
                return room;
            }
        }
        return emptyRoom(Math.max(FIRST_SHARED_SLAB, bytes), 2 * SHARED_SLAB);
    }

    /** Returns how long a new slab of small pieces is: as long as all others together, within limits. */
    private long sharedSlab(long bytes) {
        long all = rooms.stream().filter(Room::isShared).mapToLong(room -> room.slab().length()).sum();
        if (all == 0 && bytes <= firstSlab) {
            return firstSlab;
        }
        long least = bytes > FIRST_SHARED_SLAB ? LARGE : FIRST_SHARED_SLAB;
        return Math.max(least, Math.min(all, SHARED_SLAB));
    }

    private void settled(Room room, long address, long length, boolean tainted) {
        if (tainted) {
            room.condemn();
        }
        room.give(address, length);
        if (ended || !room.isUnused()) {
            return;
        }
        if (room.isCondemned()) {
            drop(room, false);
            return;
        }
        long kept = 0;
        for (Room other : rooms) {
            kept += other.isEmpty() ? other.slab().length() : 0;
        }
        if (kept > KEPT_BYTES) {
            drop(room, true);
        }
    }

    /** Returns a segment number for memory outside the arena. */
    public synchronized int claimSegment() {
        if (nextSegment >= Slab.MAX_SEGMENTS) {
            throw new VerbsException("reg_mr", "address space is used up: segments=" + nextSegment);
        }
        return nextSegment++;
    }

    public synchronized void skipTo(int segment) {
        nextSegment = Math.max(nextSegment, segment);
    }

    public synchronized int nextSegment() {
        return nextSegment;
    }

    private Room newRoom(long length) {
        int segment = claimSegment();
        Path file = folder.resolve(Integer.toString(segment));
        try {
            return addRoom(segment, createSlab(file, segment, length));
        } catch (IOException | OutOfMemoryError e) {
            throw new VerbsException("alloc", "no memory: bytes=" + length + " in " + folder.getParent() + ": " + e, e);
        }
    }

    private Slab createSlab(Path file, int segment, long length) throws IOException {
        try {
            return createWithMode(file, segment, length);
        } catch (IOException | OutOfMemoryError e) {
            List<Room> empty = rooms.stream().filter(Room::isEmpty).toList();
            if (empty.isEmpty()) {
                throw e;
            }
            empty.forEach(room -> drop(room, true));
            return createWithMode(file, segment, length);
        }
    }

    private Slab createWithMode(Path file, int segment, long length) throws IOException {
        Slab slab = Slab.create(file, segment, length);
        if (mode != null) {
            Files.setPosixFilePermissions(file, mode);
        }
        return slab;
    }

    private Room addRoom(int segment, Slab slab) {
        Room room = new Room(slab);
        rooms.add(room);
        note(segment, slab);
        return room;
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

    /** Does nothing: see {@link #end}. */
    @Override
    public void close() {
    }

    /**
     * The device ends. What was given back is returned by the last process that leaves the folder; slabs with pieces
     * that their users never gave back lose their names only, as views of them may be in use.
     */
    public synchronized void end() {
        ended = true;
        tables.forEach(Block::free);
        for (Room room : rooms) {
            if (room.isInUse()) {
                remove(room, false);
            }
        }
    }

    /** @param returned true when nobody can touch the memory any more, so that it is returned at once */
    private void drop(Room room, boolean returned) {
        rooms.remove(room);
        note(Slab.segmentOf(room.slab().base()), null);
        remove(room, returned);
    }

    private void remove(Room room, boolean returned) {
        Path file = folder.resolve(Integer.toString(Slab.segmentOf(room.slab().base())));
        try {
            Slab.remove(file, returned);
        } catch (IOException e) {
            LOG.warn("cannot delete {}: {}", file, e.toString());
        }
    }
}
