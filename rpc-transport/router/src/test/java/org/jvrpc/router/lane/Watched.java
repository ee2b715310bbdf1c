package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemotePath;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.WcStatus;

/** Looks at all that it is asked for, and answers by chance. */
final class Watched implements RemotePath.Local {

    private final Random random;
    int arrived;
    int completed;
    int went;
    boolean failed;
    WcStatus always;
    /** Where pieces go that come directly; null for nowhere. */
    Slab target;

    Watched(Random random) {
        this.random = random;
    }

    private WcStatus status() {
        int chance = random.nextInt(40);
        return always != null ? always : chance == 0 ? null : chance == 1 ? WcStatus.REM_OP_ERR : WcStatus.SUCCESS;
    }

    @Override
    public Object owner() {
        return "tenant";
    }

    @Override
    public int rnrRetry() {
        return 7;
    }

    @Override
    public long rnrTimerNs() {
        return 0;
    }

    @Override
    public void completed(WcStatus status) {
        completed++;
    }

    @Override
    public void again() {
    }

    @Override
    public void failed() {
        failed = true;
    }

    @Override
    public boolean answer(long skip, ByteBuffer from, int at, int bytes) {
        assertTrue(skip >= 0 && at >= 0 && bytes >= 0 && at + bytes <= from.capacity());
        return random.nextInt(10) > 0;
    }

    @Override
    public void wentDirectly(boolean came) {
        went++;
    }

    @Override
    public void target(long skip, int bytes, MemoryRange range) {
        range.none();
    }

    @Override
    public WcStatus place(int opcode, int rkey, long address, long total, long skip, int bytes,
            MemoryRange range) {
        assertTrue(bytes >= Bulk.LEAST && skip >= 0 && total <= 1 << 30 && skip + bytes <= total, "skip=" + skip);
        range.set(target, target == null ? 0 : target.base());
        return status();
    }

    @Override
    public WcStatus placed(int opcode, int immediate, long total, long skip, int bytes) {
        return status();
    }

    @Override
    public WcStatus source(int rkey, long address, int bytes, MemoryRange range) {
        assertTrue(bytes >= Bulk.LEAST && bytes <= Bulk.MOST);
        range.none();
        return status();
    }

    @Override
    public boolean isConnecting() {
        return random.nextBoolean();
    }

    @Override
    public WcStatus arrive(int opcode, int immediate, int rkey, long address, long total, long skip,
            ByteBuffer from, int at, int bytes) {
        assertTrue(bytes >= 0 && bytes <= LaneSet.MOST_DATA && at + bytes <= from.capacity(), "bytes=" + bytes);
        assertTrue(skip >= 0 && total >= 0 && total <= 1 << 30 && skip + bytes <= total, skip + " of " + total);
        assertTrue(opcode >= Wqe.RDMA_WRITE && opcode <= Wqe.SEND_IMM, "opcode=" + opcode);
        WcStatus status = status();
        arrived += status == WcStatus.SUCCESS ? 1 : 0;
        return status;
    }

    @Override
    public WcStatus read(int rkey, long address, ByteBuffer to, int at, int bytes) {
        assertTrue(bytes >= 0 && bytes <= LaneSet.MOST_DATA && at % Slots.BYTES + bytes <= Slots.BYTES);
        return status();
    }

    @Override
    public WcStatus atomic(int opcode, int rkey, long address, long[] operands, long[] found) {
        assertTrue(Requests.operands(opcode) > 0, "opcode=" + opcode);
        return status();
    }

    @Override
    public void touched() {
    }

    @Override
    public void vanished(InternalError e) {
        throw new AssertionError(e);
    }
}
