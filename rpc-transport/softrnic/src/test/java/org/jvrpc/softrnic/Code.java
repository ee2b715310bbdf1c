package org.jvrpc.softrnic;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.CompletionQueue;

/** WQEs written out by hand, for tests of who runs them. */
final class Code {

    private final ByteBuffer bytes;

    private Code(int opmod, int opcode, int flags, int segments) {
        bytes = ByteBuffer.allocate(Wqe.blocks(segments) * Wqe.BLOCK);
        bytes.putInt(Wqe.opmodIndexOpcode(opmod, 0, opcode)).putInt(segments).putInt(flags).putInt(0);
    }

    /** A piece of registered memory. */
    record Piece(long address, int length, int lkey) {
    }

    static Code nop() {
        return new Code(0, Wqe.NOP, 0, 1);
    }

    static Code waitFor(CompletionQueue cq, int index) {
        return order(Wqe.WAIT, index, cq.number());
    }

    static Code enable(Mlx5QueuePair qp, int index) {
        return order(Wqe.SEND_ENABLE, index, qp.number());
    }

    static Code enableReceive(Mlx5QueuePair qp, int index) {
        return order(Wqe.RECV_ENABLE, index, qp.number());
    }

    private static Code order(int opcode, int index, int object) {
        Code code = new Code(0, opcode, 0, 2);
        code.bytes.putLong(0).putInt(index).putInt(object);
        return code;
    }

    static Code send(Piece... pieces) {
        return new Code(0, Wqe.SEND, 0, 1 + pieces.length).data(pieces);
    }

    static Code write(long address, int rkey, Piece... pieces) {
        return calc(0, address, rkey, pieces);
    }

    /** A WRITE whose opmod makes a calculation of it. */
    static Code calc(int opmod, long address, int rkey, Piece... pieces) {
        Code code = new Code(opmod, Wqe.RDMA_WRITE, 0, 2 + pieces.length);
        return code.remote(address, rkey).data(pieces);
    }

    static Code writeImmediate(int immediate, long address, int rkey, Piece... pieces) {
        Code code = new Code(0, Wqe.RDMA_WRITE_IMM, 0, 2 + pieces.length);
        code.bytes.putInt(Wqe.IMMEDIATE, immediate);
        return code.remote(address, rkey).data(pieces);
    }

    static Code read(long address, int rkey, Piece... pieces) {
        return new Code(0, Wqe.RDMA_READ, 0, 2 + pieces.length).remote(address, rkey).data(pieces);
    }

    /** Operands as the WQE has them: big-endian. */
    static Code compareAndSwap(long address, int rkey, long compare, long swap, Piece result) {
        Code code = new Code(0, Wqe.ATOMIC_CS, Wqe.FENCE, 4).remote(address, rkey);
        code.bytes.putLong(swap).putLong(compare);
        return code.data(result);
    }

    static Code fetchAndAdd(long address, int rkey, long add, Piece result) {
        Code code = new Code(0, Wqe.ATOMIC_FA, Wqe.FENCE, 4).remote(address, rkey);
        code.bytes.putLong(add).putLong(0);
        return code.data(result);
    }

    static Code maskedFetchAndAdd(long address, int rkey, long add, long boundary, Piece result) {
        Code code = new Code(Wqe.MASKED_8, Wqe.ATOMIC_MASKED_FA, Wqe.FENCE, 4).remote(address, rkey);
        code.bytes.putLong(add).putLong(boundary);
        return code.data(result);
    }

    static Code maskedCompareAndSwap(
            long address, int rkey, long compare, long swap, long compareMask, long swapMask, Piece result) {
        Code code = new Code(Wqe.MASKED_8, Wqe.ATOMIC_MASKED_CS, Wqe.FENCE, 5).remote(address, rkey);
        code.bytes.putLong(swap).putLong(compare).putLong(swapMask).putLong(compareMask);
        return code.data(result);
    }

    private Code remote(long address, int rkey) {
        bytes.putLong(address).putInt(rkey).putInt(0);
        return this;
    }

    private Code data(Piece... pieces) {
        for (Piece piece : pieces) {
            bytes.putInt(piece.length).putInt(piece.lkey).putLong(piece.address);
        }
        return this;
    }

    Code signalled() {
        bytes.put(Wqe.FM_CE_SE, (byte) (bytes.get(Wqe.FM_CE_SE) | Wqe.CE_ALWAYS));
        return this;
    }

    /** Sets the first 8 bytes, big-endian. */
    Code control(long image) {
        bytes.putLong(0, image);
        return this;
    }

    int blocks() {
        return bytes.capacity() / Wqe.BLOCK;
    }

    /** Returns WQEs one behind the other as the longs of a ring, each with its index and QP number. */
    static long[] words(Mlx5QueuePair qp, int firstBlock, Code... codes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int block = firstBlock;
        for (Code code : codes) {
            if (code.bytes.getInt(0) >>> 8 == 0) {
                code.bytes.putShort(1, (short) block);
                code.bytes.putInt(4, qp.number() << 8 | code.bytes.getInt(4) & 0xff);
            }
            block += code.blocks();
            out.writeBytes(code.bytes.array());
        }
        ByteBuffer all = ByteBuffer.wrap(out.toByteArray());
        long[] words = new long[all.capacity() / 8];
        all.asLongBuffer().get(words);
        return words;
    }
}
