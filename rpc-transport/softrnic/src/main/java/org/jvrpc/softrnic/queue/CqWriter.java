package org.jvrpc.softrnic.queue;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.host.ProcessId;
import org.jvrpc.verbs.rare.Rare;

/**
 * One producer of a CQ, in this process's arena or a peer's: claims a slot, lets the caller fill it, publishes it. A CQ
 * that others feed, too, is claimed slot by slot with compare-and-set, which leaves in the slot which process has it:
 * a producer that dies between claim and publication can be cleared away, and one that lives is left alone. One
 * thread.
 */
public final class CqWriter {

    /** Bytes of a CQE that has a first half for data. */
    private static final int WIDE = 2 * Cqe.BYTES;

    private final ByteBuffer memory;
    private final int context;
    private final int ring;
    private final int mask;
    private final int shift;
    private final int cqeBytes;
    private final boolean exclusive;
    private final boolean crossChannel;
    /** The index of the next CQE lies in the context: of a cross-channel CQ, or a private one. */
    private final boolean counted;
    /** Nobody else feeds it, and its memory is that of an owner who may cut it. */
    private final boolean isPrivate;
    /** Views of the CQEs, and of how many there were, of a cross-channel CQ: they take fewer checks. */
    private final IntBuffer counts;
    private final LongBuffer tails;
    private final IntBuffer produced;
    /** Tells the owner of a private cross-channel CQ how many there were; else null. */
    private final IntBuffer shown;
    private final int qpn;
    /** What claims say of this process; 0 where the CQ's owner could make nothing of its number. */
    private final int claimant;
    private final Runnable wake;
    private final boolean lazy;
    private int next;
    private int knownConsumer;
    /** The last message had the line before its CQE, too; the next one is likely to. */
    private boolean wide;

    /**
     * @param slab holds the CQ, at {@code address}
     * @param qpn of the QP, on the CQ's device, whose completions these are
     * @param wake called when a completion finds the CQ armed
     * @param lazy true when {@link #settle} follows publications
     */
    public CqWriter(Slab slab, long address, int qpn, Runnable wake, boolean lazy) {
        this(slab, address, qpn, ProcessId.NUMBER, wake, lazy);
    }

    /** @param process number of the producer's process, in this namespace */
    public CqWriter(Slab slab, long address, int qpn, int process, Runnable wake, boolean lazy) {
        this(slab, address, slab, address, qpn, process, wake, lazy);
    }

    /**
     * Says where the ring lies by a context that may be a private one.
     *
     * @param slab holds the ring, {@link CqContext#RING} behind {@code address}
     * @param contextSlab holds the context, at {@code contextAddress}
     */
    private CqWriter(Slab slab, long address, Slab contextSlab, long contextAddress, int qpn, int process,
            Runnable wake, boolean lazy) {
        CqContext.checkAlignment(address, "completion queue");
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        ByteBuffer trusted = contextSlab.window(contextAddress);
        int trustedAt = Slab.index(contextAddress);
        int entries = CqContext.entries(trusted, trustedAt);
        this.cqeBytes = CqContext.cqeBytes(trusted, trustedAt);
        boolean sane = CqContext.magic(trusted, trustedAt) == CqContext.MAGIC && entries > 0
                && Integer.bitCount(entries) == 1 && (cqeBytes == Cqe.BYTES || cqeBytes == WIDE)
                && slab.containsInWindow(address, CqContext.RING + (long) entries * cqeBytes);
        if (!sane) {
            throw new VerbsException("modify_qp", "no completion queue at address=0x" + Long.toHexString(address)
                    + " entries=" + entries + " cqeBytes=" + cqeBytes);
        }
        this.ring = context + CqContext.RING;
        this.mask = entries - 1;
        this.shift = Integer.numberOfTrailingZeros(entries);
        this.exclusive = CqContext.isExclusive(trusted, trustedAt);
        this.crossChannel = CqContext.isCrossChannel(trusted, trustedAt);
        this.isPrivate = CqContext.isPrivate(trusted, trustedAt);
        this.counted = crossChannel || isPrivate;
        ByteBuffer cqes = crossChannel
                ? memory.slice(ring, entries * cqeBytes).order(ByteOrder.LITTLE_ENDIAN) : null;
        this.counts = crossChannel ? cqes.asIntBuffer() : null;
        this.tails = crossChannel ? cqes.asLongBuffer() : null;
        this.produced = counted ? CqContext.producedView(trusted, trustedAt) : null;
        this.shown = crossChannel && isPrivate ? CqContext.producedView(memory, context) : null;
        this.qpn = qpn;
        this.claimant = ProcessId.NAMESPACE == CqContext.namespace(trusted, trustedAt) ? process : 0;
        this.wake = wake;
        this.lazy = lazy;
    }

    /**
     * Returns the producer of a CQ whose context lies in an address space, and whose ring lies behind that context, or,
     * where it is private, behind its owner's copy.
     *
     * @throws VerbsException when there is no such CQ
     */
    public static CqWriter of(AddressSpace space, long address, int qpn, Runnable wake, boolean lazy) {
        CqContext.checkAlignment(address, "completion queue");
        Slab slab = space.require(address, CqContext.RING, "completion queue");
        ByteBuffer memory = slab.window(address);
        int context = Slab.index(address);
        if (!CqContext.isPrivate(memory, context)) {
            return new CqWriter(slab, address, qpn, wake, lazy);
        }
        long owner = CqContext.owner(memory, context);
        Slab rings = space.require(owner, CqContext.RING, "completion queue");
        return new CqWriter(rings, owner, slab, address, qpn, ProcessId.NUMBER, wake, lazy);
    }

    public ByteBuffer memory() {
        return memory;
    }

    /** Returns how many bytes of a message fit in a CQE. */
    int inlineBytes() {
        return cqeBytes == WIDE ? 96 : crossChannel ? -1 : 32;
    }

    public boolean isExclusive() {
        return exclusive;
    }

    /** Returns the format of a CQE that holds a message of so many bytes; 0 when none does. */
    public int format(int bytes) {
        if (bytes > inlineBytes()) {
            return 0;
        }
        return bytes <= 32 ? Cqe.INLINE_32 : bytes <= 64 ? Cqe.INLINE_64 : Cqe.INLINE_96;
    }

    /** Returns true when a message of so many bytes may lie in front of its CQE's tail; see {@link #publishLine}. */
    public boolean fitsLine(int bytes) {
        return cqeBytes == WIDE && bytes > 0 && bytes <= Cqe.LINE_BYTES;
    }

    /** Claims a slot; returns the offset of its CQE, or -1 when the ring is full, which is an overrun. */
    public int claim() {
        if (!exclusive) {
            return counted ? claimCounted() : claimShared();
        }
        if (next - knownConsumer > mask && isFull()) {
            return overrun();
        }
        return slot(next++);
    }

    /** Claims the next slot, whatever it holds: the group's claim, or the one thread, keeps others away. */
    private int claimCounted() {
        next = produced.get(0);
        if (crossChannel) {
            VarHandle.acquireFence(); // nothing overruns: what waits for the CQ looks at the count
        } else if (Integer.compareUnsigned(next - knownConsumer, mask) > 0 && isPrivateFull()) {
            return overrun();
        }
        return slot(next++);
    }

    /** Believes the consumer only so far that it can lose nothing but its own completions. */
    private boolean isPrivateFull() {
        int consumer = BigEndian.getIntAcquire(memory, context + CqContext.RECORD + DoorbellRecord.CONSUMER);
        knownConsumer = next - Math.min(next - consumer & DoorbellRecord.CONSUMER_MASK, mask + 1);
        return next - knownConsumer > mask;
    }

    /**
     * Gets hold of the lines that the next CQEs are likely to be written to, which the consumer has copies of: that
     * takes as long as the consumer takes to read one later, for all of them together, and goes on beside what the
     * caller does meanwhile. What is stored means nothing: whoever fills a CQE writes all that is read of it.
     */
    public void fetchNext(int count) {
        int end = exclusive ? Math.min(count, knownConsumer + mask + 1 - next) : 0;
        for (int i = 0; i < end; i++) {
            int at = slot(next + i);
            memory.put(at + Cqe.VENDOR_ERROR, (byte) 0);
            if (wide) {
                memory.put(at - Cqe.BYTES, (byte) 0);
            }
        }
    }

    private int overrun() {
        raise(CqContext.OVERRAN);
        wakeIfArmed();
        return -1;
    }

    private int slot(int index) {
        return ring + (index & mask) * cqeBytes + cqeBytes - Cqe.BYTES;
    }

    private boolean isFull() {
        int consumer = BigEndian.getIntAcquire(memory, context + CqContext.RECORD + DoorbellRecord.CONSUMER);
        knownConsumer = next - (next - consumer & DoorbellRecord.CONSUMER_MASK);
        if (next - knownConsumer > mask + 1) {
            // More than a ring ahead cannot be: the consumer is ahead of a producer that was idle for long.
            next += consumer - next & DoorbellRecord.CONSUMER_MASK;
            knownConsumer = next;
        }
        return next - knownConsumer > mask;
    }

    /**
     * Begins at the hint, which is never behind what this producer claimed itself: a slot tells its lap in 8 bits only,
     * so that one of 255 laps ago would look free to a producer that began where it stopped.
     */
    private int claimShared() {
        next = CqContext.hint(memory, context);
        while (true) {
            // Unsigned: what this producer knows of the consumer may be any number of completions old.
            if (Integer.compareUnsigned(next - knownConsumer, mask) > 0 && isFull()) {
                return overrun();
            }
            int at = slot(next);
            int lap = next >>> shift;
            long tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            // After the tail: who was stopped before it read the tail sees here that the others went on.
            int hint = CqContext.hint(memory, context);
            if (hint - next > 0) {
                next = hint;
            } else if ((byte) (Cqe.lap(tail) - lap) != -1) {
                next++;
            } else if (BigEndian.compareAndSetLong(
                    memory, at + Cqe.TAIL, tail, Cqe.claim(claimant, qpn, lap))) {
                next++;
                CqContext.advanceHint(memory, context, next, mask + 1);
                return at;
            }
        }
    }

    /** Puts the number of an SRQ into the CQE that was claimed last. */
    public void stamp(int srqn) {
        BigEndian.putInt(memory, slot(next - 1) + Cqe.SRQN, srqn);
    }

    /** Publishes a CQE: the slot's other bytes are written. */
    public void publish(int at, int sendOpcode, int wqeCounter, int opcode, int format) {
        wide = (format & Cqe.INLINE_64) != 0;
        publish(at, Cqe.tail(sendOpcode, qpn, wqeCounter, next - 1 >>> shift, opcode, format));
    }

    /** Publishes a message that lies at the start of its CQE, and may reach to its tail. */
    public void publishLine(int at, int wqeCounter, int bytes) {
        wide = false;
        publish(at, Cqe.lineTail(bytes, qpn, wqeCounter, next - 1 >>> shift));
    }

    private void publish(int at, long tail) {
        if (counted) {
            publishCounted(at, tail);
            return;
        }
        if (lazy) {
            BigEndian.putLongRelease(memory, at + Cqe.TAIL, tail); // read with acquire by the poll
        } else {
            BigEndian.putLongRelease(memory, at + Cqe.TAIL, tail); // read with acquire by the poll
            // Before the look at the arming: the consumer arms, has the same fence, and then looks at the ring.
            VarHandle.fullFence();
        }
        wakeIfArmed();
    }

    private void publishCounted(int at, long tail) {
        BigEndian.putLongRelease(memory, at + Cqe.TAIL, tail); // read with acquire by the poll
        VarHandle.releaseFence();
        produced.put(0, next);
        if (shown != null) {
            shown.put(0, next);
        }
        if (!crossChannel) {
            if (!lazy) {
                VarHandle.fullFence(); // before the look at the arming, as below
            }
            wakeIfArmed();
        }
    }

    /** Looks at the arming again, after everything that was published. */
    public void settle() {
        VarHandle.fullFence();
        wakeIfArmed();
    }

    private void raise(int flag) {
        if (isPrivate) {
            CqContext.raiseAlone(memory, context, flag);
        } else {
            CqContext.raise(memory, context, flag);
        }
    }

    private void wakeIfArmed() {
        if (isPrivate ? CqContext.takeArmingAlone(memory, context) : CqContext.takeArming(memory, context)) {
            wake.run();
        }
    }

    /** Completes a WQE with success; returns false on overrun. */
    public boolean succeed(int sendOpcode, int wqeCounter, int byteCount) {
        int at = claim();
        if (at < 0) {
            return false;
        }
        BigEndian.putInt(memory, at + Cqe.BYTE_COUNT, byteCount);
        publish(at, sendOpcode, wqeCounter, Cqe.REQ, 0);
        return true;
    }

    /** Returns true for a CQ that only who has claimed its group feeds. */
    public boolean isCrossChannel() {
        return crossChannel;
    }

    /** As {@link #succeed}, in a cross-channel CQ of the group that the caller has claimed, in few accesses. */
    public void succeedNext(int sendOpcode, int wqeCounter, int byteCount) {
        int index = produced.get(0);
        int at = slot(index) - ring;
        next = index + 1;
        counts.put(at + Cqe.BYTE_COUNT >> 2, Integer.reverseBytes(byteCount));
        long tail = Cqe.tail(sendOpcode, qpn, wqeCounter, index >>> shift, Cqe.REQ, 0);
        VarHandle.releaseFence();
        tails.put(at + Cqe.TAIL >> 3, Long.reverseBytes(tail));
        VarHandle.releaseFence();
        produced.put(0, index + 1);
        if (shown != null) {
            shown.put(0, index + 1);
        }
    }

    /** Completes a WQE with an error; an overrun is left to the flag that it raises. */
    public void fail(int wqeCounter, int opcode, WcStatus status, int vendorError) {
        fail(wqeCounter, opcode, status, vendorError, 0);
    }

    /** As above; {@code srqn} is not 0 for a receive of an SRQ. */
    public void fail(int wqeCounter, int opcode, WcStatus status, int vendorError, int srqn) {
        int at = claim();
        if (at >= 0) {
            BigEndian.putInt(memory, at + Cqe.SRQN, srqn);
            error(at, wqeCounter, opcode, status, vendorError);
        }
    }

    /** Publishes an error in a CQE that was claimed. */
    public void error(int at, int wqeCounter, int opcode, WcStatus status, int vendorError) {
        memory.put(at + Cqe.VENDOR_ERROR, (byte) vendorError);
        memory.put(at + Cqe.SYNDROME, (byte) org.jvrpc.mlx5.Syndrome.of(status));
        publish(at, 0, wqeCounter, opcode, 0);
    }

    /**
     * Returns true when a slot is claimed for this QP by a process that is dead. Others may have claims for it: the
     * QP's owner reports its sends, maybe in this CQ.
     *
     * @param process number of one that is known to be dead
     */
    public boolean hasClaims(int process) {
        for (int i = 0; i <= mask; i++) {
            if (isClaimOfDead(BigEndian.getLongAcquire(memory, slot(i) + Cqe.TAIL), process)) {
                return true;
            }
        }
        return false;
    }

    /** Publishes, as nobody's, the slots that {@link #hasClaims} speaks of. */
    public void clearClaims(int process) {
        boolean found = false;
        for (int i = 0; i <= mask; i++) {
            int at = slot(i) + Cqe.TAIL;
            long tail = BigEndian.getLongAcquire(memory, at);
            if (isClaimOfDead(tail, process)) {
                found |= BigEndian.compareAndSetLong(memory, at, tail,
                        Cqe.tail(0, CqContext.NOBODY, 0, Cqe.lap(tail), Cqe.RESP_SEND, 0));
            }
        }
        if (found) {
            Rare.reached("claims of a dead process are cleared");
            wakeIfArmed();
        }
    }

    /** Also of a process that died earlier, while nobody had put right yet what it left. */
    private boolean isClaimOfDead(long tail, int process) {
        if (Cqe.opcode(tail) != Cqe.INVALID || Cqe.qpn(tail) != qpn) {
            return false;
        }
        int by = Cqe.claimant(tail);
        return claimant == 0 ? by == 0 : by == process || ProcessId.isNumberOfDead(by);
    }

    /** Tells the CQ's consumer that one of its QPs went to ERR without a completion. */
    public void attention() {
        raise(CqContext.ATTENTION);
        wakeIfArmed();
    }
}
