package org.jvrpc.offload.wr;

import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Image;

/** Makes work requests. Each is added to one queue, once. */
public final class Wr {

    private Wr() {
    }

    /** Reads remote memory and scatters it, byte by byte if wanted, over up to 16 places. */
    public static WorkRequest read(Place from, Place... into) {
        return new CopyRequest(Wqe.RDMA_READ, 0, 0, from, into);
    }

    /** Writes remote memory with what up to 16 places hold. */
    public static WorkRequest write(Place to, Place... from) {
        return new CopyRequest(Wqe.RDMA_WRITE, 0, 0, to, from);
    }

    /** The same, and takes a receive of the peer, with immediate data. */
    public static WorkRequest writeImmediate(int immediate, Place to, Place... from) {
        return new CopyRequest(Wqe.RDMA_WRITE_IMM, 0, immediate, to, from);
    }

    /** Sends a message. */
    public static WorkRequest send(Place... from) {
        return new CopyRequest(Wqe.SEND, 0, 0, null, from);
    }

    /** Sends a message with immediate data. */
    public static WorkRequest sendImmediate(int immediate, Place... from) {
        return new CopyRequest(Wqe.SEND_IMM, 0, immediate, null, from);
    }

    /** Writes 8 remote bytes: what a calculation makes of 1 to 16 big-endian words. */
    public static WorkRequest calculate(Calculation calculation, Place to, Place... words) {
        return new CopyRequest(Wqe.RDMA_WRITE, calculation.opmod(), 0, to, words);
    }

    /**
     * Stores {@code swap} where {@code compare} is found; 8 bytes, aligned, as a little-endian number.
     *
     * @param result takes what was found, 8 bytes; null when nobody wants it
     */
    public static WorkRequest compareAndSwap(Place target, long compare, long swap, Place result) {
        return new AtomicRequest(Wqe.ATOMIC_CS, target, result, null, () -> swap, () -> compare);
    }

    /** The same under masks: compares some bits, stores some. */
    public static WorkRequest maskedCompareAndSwap(
            Place target, long compare, long swap, long compareMask, long swapMask, Place result) {
        return new AtomicRequest(Wqe.ATOMIC_MASKED_CS, target, result, null,
                () -> swap, () -> compare, () -> swapMask, () -> compareMask);
    }

    /** Adds to 8 aligned bytes, as a little-endian number. @param result takes what was found; may be null */
    public static WorkRequest fetchAndAdd(Place target, long add, Place result) {
        return new AtomicRequest(Wqe.ATOMIC_FA, target, result, null, () -> add);
    }

    /** The same, field by field. @param boundary each bit is the highest of a field, which carries no further */
    public static WorkRequest maskedFetchAndAdd(Place target, long add, long boundary, Place result) {
        return new AtomicRequest(Wqe.ATOMIC_MASKED_FA, target, result, null, () -> add, () -> boundary);
    }

    /** A masked fetch-and-add whose operands, {add, boundary}, are known only when the program is built. */
    public static AtomicRequest maskedFetchAndAdd(Place target, Place result, long[] addAndBoundary) {
        return new AtomicRequest(Wqe.ATOMIC_MASKED_FA, target, result, null,
                () -> addAndBoundary[0], () -> addAndBoundary[1]);
    }

    /**
     * Turns a dormant WR on if its operand is {@code operand}, 48 bits.
     *
     * @throws IllegalArgumentException when the operand is out of range, or the WR is not dormant
     */
    public static WorkRequest turnOn(WorkRequest dormant, long operand) {
        if (!dormant.isDormant()) {
            throw new IllegalArgumentException(dormant + " is not dormant: nothing to turn on");
        }
        Image.of(operand, 0);
        return new AtomicRequest(Wqe.ATOMIC_CS, dormant.field(Field.IMAGE), null, dormant,
                () -> Image.asOperand(dormant.liveImage()),
                () -> Image.asOperand(Image.of(operand, dormant.segments())));
    }

    /** Where the low 24 bits of a {@link #turnOn} operand go, little-endian. */
    public static Place lowOperand(WorkRequest turnOn) {
        return turnOn.field(Field.COMPARE).slice(1, 3);
    }

    /** Where the high 24 bits of a {@link #turnOn} operand go, little-endian. */
    public static Place highOperand(WorkRequest turnOn) {
        return turnOn.field(Field.COMPARE).slice(5, 3);
    }

    /** Does nothing. */
    public static WorkRequest nop() {
        return new NopRequest(1, false);
    }

    /** A NOP that fills up the ring of a recycled program. */
    public static WorkRequest pad(int segments) {
        return new NopRequest(segments, true);
    }

    /** Holds its queue until a signalled WR, or a trigger, is complete. Its CQ must have one source. */
    public static WorkRequest await(WorkRequest signalled) {
        return await(signalled, 0);
    }

    /** The same for that WR so many laps later, or earlier when negative. */
    public static WorkRequest await(WorkRequest signalled, int laps) {
        return OrderRequest.of(Wqe.WAIT, signalled, laps);
    }

    /** Holds its queue until a CQ has had more than {@code index} completions. */
    public static WorkRequest await(ChainCq cq, int index) {
        return OrderRequest.completion(cq, index);
    }

    /** Lets the queue of a WR run up to that WR, which it still runs. */
    public static WorkRequest enable(WorkRequest upTo) {
        return enable(upTo, 0);
    }

    /** The same for that WR so many laps later. */
    public static WorkRequest enable(WorkRequest upTo, int laps) {
        int opcode = upTo instanceof TriggerRequest ? Wqe.RECV_ENABLE : Wqe.SEND_ENABLE;
        return OrderRequest.of(opcode, upTo, laps);
    }

    /**
     * Lets its own queue run its next stage: up to the next such ENABLE, itself included, or to the end. A queue's
     * first stage ends with the first of them.
     */
    public static WorkRequest enableStage() {
        return OrderRequest.stage();
    }

    /** Lets a queue of a recycled program run its next lap; only the first stage where there are several. */
    public static WorkRequest enableNextLap(ChainQueue queue) {
        return OrderRequest.lap(queue, 1);
    }

    /** Lets a queue of a recycled program run this lap; only the first stage where there are several. */
    public static WorkRequest enableLap(ChainQueue queue) {
        return OrderRequest.lap(queue, 0);
    }

    /** Lets a queue run up to a block, itself excluded, counted from the first ever. */
    public static WorkRequest enableBlocks(ChainQueue queue, int limit) {
        return OrderRequest.limit(Wqe.SEND_ENABLE, queue, limit);
    }

    /** Takes one message into up to 16 places, byte by byte if wanted; goes to the receive queue. */
    public static WorkRequest trigger(Place... into) {
        return new TriggerRequest(into);
    }
}
