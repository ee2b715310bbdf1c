package org.jvrpc.offload.wr;

import java.util.Locale;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;

/**
 * WAIT and the two ENABLEs. Names a WR, or a number. {@code laps} is how many laps of a recycled program later, or
 * earlier when negative, than this WR's own that WR is meant to be.
 */
public final class OrderRequest extends WorkRequest {

    private final int opcode;
    private final WorkRequest subject;
    private final ChainCq cq;
    private final ChainQueue target;
    private final int number;
    private final int laps;
    private final boolean stage;
    private int index;
    private int increment;
    private int object;

    private OrderRequest(
            int opcode, WorkRequest subject, ChainCq cq, ChainQueue target, int number, int laps, boolean stage) {
        this.opcode = opcode;
        this.subject = subject;
        this.cq = cq;
        this.target = target;
        this.number = number;
        this.laps = laps;
        this.stage = stage;
    }

    static OrderRequest of(int opcode, WorkRequest subject, int laps) {
        return new OrderRequest(opcode, subject, null, null, 0, laps, false);
    }

    static OrderRequest completion(ChainCq cq, int number) {
        return new OrderRequest(Wqe.WAIT, null, cq, null, number, 0, false);
    }

    static OrderRequest lap(ChainQueue target, int laps) {
        return new OrderRequest(Wqe.SEND_ENABLE, null, null, target, 0, laps, false);
    }

    static OrderRequest limit(int opcode, ChainQueue target, int number) {
        return new OrderRequest(opcode, null, null, target, number, -1, false);
    }

    static OrderRequest stage() {
        return new OrderRequest(Wqe.SEND_ENABLE, null, null, null, 0, -1, true);
    }

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public Kind kind() {
        return Kind.ORDER;
    }

    @Override
    public int segments() {
        return 2;
    }

    /** Returns true for a WAIT, false for an ENABLE. */
    public boolean isWait() {
        return opcode == Wqe.WAIT;
    }

    /** Returns the WR that is waited for or enabled, or null. */
    public WorkRequest subject() {
        return subject;
    }

    /** Returns the CQ that is waited for by number, or null. */
    public ChainCq cq() {
        return cq;
    }

    /** Returns the queue that is enabled, or null. */
    public ChainQueue target() {
        return stage ? queue() : subject == null ? target : isWait() ? null : subject.queue();
    }

    /** Returns true when it lets its own queue run its next stage. */
    public boolean isStage() {
        return stage;
    }

    /** Returns true when it enables whole laps. */
    public boolean isLap() {
        return subject == null && target != null && number == 0 && laps >= 0;
    }

    /** Returns the count or index that was given; 0 when it follows from a WR. */
    public int number() {
        return number;
    }

    /** Returns how many laps ahead of the WR that it names it looks. */
    public int laps() {
        return laps;
    }

    /** Returns the producer index that it is loaded with. */
    public int index() {
        return index;
    }

    /** Returns by how much the producer index grows with each lap. */
    public int increment() {
        return increment;
    }

    /** Returns how many bytes of the producer index the device looks at. */
    public int width() {
        return isWait() ? 3 : 2;
    }

    /** For the builder: sets the producer index, what a lap adds to it, and the number of the CQ or queue. */
    public void resolve(int newIndex, int newIncrement, int newObject) {
        index = newIndex;
        increment = newIncrement;
        object = newObject;
    }

    /** Returns the WQE of a start, which is in no queue, with a completion; big-endian longs. */
    public long[] startWords() {
        long[] words = new long[Wqe.BLOCK / 8];
        words[0] = (long) opcode << 32 | segments();
        words[1] = flagsAndImmediate(true);
        encode(words);
        return words;
    }

    @Override
    void encode(long[] words) {
        words[3] = (long) index << 32 | object & 0xffffffffL;
    }

    @Override
    public String operands() {
        String lap = laps == 0 || subject == null ? "" : String.format(Locale.ROOT, " of lap %+d", laps);
        String name = subject != null ? subject.where() + lap
                : stage ? "the next stage of " + queue()
                : cq != null ? cq.toString() : target + (isLap() ? " lap +" + laps : "");
        return (isWait() ? "for " : "to ") + name + ", pi=" + index;
    }
}
