package org.jvrpc.offload.wr;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.queue.Opcodes;

/**
 * A work request of a program, made by {@link Wr}. It may be named as a place that others change before it is added to
 * a queue; it has an address once its program is built. Belongs to one program. One thread.
 */
public abstract class WorkRequest {

    /** What Table 2 of the paper counts. */
    public enum Kind {
        /** Moves data. */
        COPY,
        /** Compares and swaps, or adds. */
        ATOMIC,
        /** Orders others. */
        ORDER,
        /** Neither. */
        OTHER
    }

    private ChainQueue queue;
    private int block = -1;
    private boolean signalled;
    private boolean fenced;
    private boolean dormant;
    private long operand;
    private String comment = "";

    WorkRequest() {
    }

    /** Makes a completion when done. */
    public WorkRequest signalled() {
        signalled = true;
        return this;
    }

    /** Begins after READs and atomics before it in its queue; for cards, the software RNIC has no other order. */
    public WorkRequest fenced() {
        fenced = true;
        return this;
    }

    /** Is loaded as a NOP with operand 0, to be turned on by a compare-and-swap. */
    public WorkRequest dormant() {
        return dormant(0);
    }

    /** Is loaded as a NOP with an operand of 48 bits, to be turned on by a compare-and-swap. */
    public WorkRequest dormant(long newOperand) {
        Image.of(newOperand, 0);
        dormant = true;
        operand = newOperand;
        return this;
    }

    /**
     * Adds SGEs, for WRs that change each other, or themselves, and cannot be made one after the other.
     *
     * @throws IllegalStateException when it is no WRITE, READ or SEND
     */
    public WorkRequest more(Place... places) {
        throw new IllegalStateException(this + " has no list of SGEs");
    }

    /** Says in listings what it is for. */
    public WorkRequest comment(String newComment) {
        comment = newComment;
        return this;
    }

    /** Returns a field of this WR as a place. @throws IllegalArgumentException when it has no such field */
    public Place field(Field field) {
        if (field.isData() || !field.isOf(opcode())) {
            throw new IllegalArgumentException(this + " has no field " + field);
        }
        return Place.in(this, field.offset(), field.length());
    }

    /** Returns a field of a data segment as a place. */
    public Place data(int segment, Field field) {
        int at = Wqe.dataOffset(opcode()) + segment * Wqe.SEGMENT;
        if (!field.isData() || !field.isOf(opcode()) || segment < 0 || at + Wqe.SEGMENT > segments() * Wqe.SEGMENT) {
            throw new IllegalArgumentException(this + " has no field " + field + " of segment " + segment);
        }
        return Place.in(this, at + field.offset(), field.length());
    }

    /** Returns the two pieces of the ctrl segment where operand bits 47 to 24 and 23 to 0 go. */
    public List<Place> operand() {
        return List.of(Place.in(this, 0, 3), field(Field.QPN));
    }

    /** Returns the queue, or null. */
    public ChainQueue queue() {
        return queue;
    }

    /** Returns the first block, counted from the first ever of its queue; -1 before the program is built. */
    public int block() {
        return block;
    }

    /** Returns how many blocks it takes. */
    public int blocks() {
        return Wqe.blocks(segments());
    }

    /** Returns the opcode when it is turned on. */
    public abstract int opcode();

    /** Returns what Table 2 counts it as. */
    public abstract Kind kind();

    /** Returns true when it makes a completion. */
    public boolean isSignalled() {
        return signalled;
    }

    /** Returns true when it waits for READs and atomics before it. */
    public boolean isFenced() {
        return fenced;
    }

    /** Returns true when it is loaded as a NOP. */
    public boolean isDormant() {
        return dormant;
    }

    /** Returns what it is for. */
    public String comment() {
        return comment;
    }

    int opmod() {
        return 0;
    }

    int immediate() {
        return 0;
    }

    /** Returns how many segments of 16 bytes it has. */
    public abstract int segments();

    /** Writes what comes after the ctrl segment, as big-endian longs from {@code words[2]} on. */
    abstract void encode(long[] words);

    /** Returns what it changes. */
    public List<Place> changes() {
        return List.of();
    }

    /** Returns its operands for a listing. */
    public abstract String operands();

    /** Says what is wrong with it before it has a place, or null. */
    public String problem() {
        return segments() > Wqe.MAX_SEGMENTS
                ? "segments=" + segments() + ", a WQE has at most " + Wqe.MAX_SEGMENTS : null;
    }

    /** For the builder: puts it into a queue. */
    public final void place(ChainQueue newQueue, int newBlock) {
        queue = newQueue;
        block = newBlock;
    }

    /** Returns the first 8 bytes when it is turned on. */
    final long liveImage() {
        return (long) Wqe.opmodIndexOpcode(opmod(), block, opcode()) << 32
                | (long) queue.number() << 8 | segments();
    }

    /** Returns the second 8 bytes. */
    final long flagsAndImmediate(boolean withCompletion) {
        long flags = (withCompletion ? Wqe.CE_ALWAYS : 0) | (fenced ? Wqe.FENCE : 0);
        return flags << 32 | immediate() & 0xffffffffL;
    }

    /** Returns {@link Field#CTRL} when it is turned on, once its program is built: 12 bytes. */
    public final byte[] liveControl(boolean withCompletion) {
        return ByteBuffer.allocate(Field.CTRL.length())
                .putLong(liveImage()).putInt((int) (flagsAndImmediate(withCompletion) >>> 32)).array();
    }

    /** Returns the WQE as big-endian longs, whole blocks. */
    public final long[] words() {
        long[] words = new long[blocks() * Wqe.BLOCK / 8];
        words[0] = dormant ? Image.of(operand, segments()) : liveImage();
        words[1] = flagsAndImmediate(signalled);
        encode(words);
        return words;
    }

    /** Returns queue and block in the ring, for messages. */
    public String where() {
        return queue == null ? "(in no queue)" : queue + "[" + (block < 0 ? "?" : "" + block % queue.blocks()) + "]";
    }

    /** Returns the opcode's name, with what it is loaded as. */
    public String verb() {
        return (dormant ? "NOP→" : "") + Opcodes.name(opcode(), opmod());
    }

    @Override
    public String toString() {
        return where() + " " + verb();
    }
}
