package org.jvrpc.ibverbs.card;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A BlueFlame register of a card: where doorbells of send queues are rung, by a store of the first 8 bytes of the last
 * WQE, or by a copy of the only WQE, which spares the card a fetch. Two buffers, used in turn. QPs may share a
 * register: any thread.
 *
 * <p>The page is write-combining memory, whose stores are not ordered with others by themselves. Order on x86-64: the
 * stores to the ring and to the doorbell record are ordered by the processor; the full fence before the register,
 * a locked instruction in HotSpot, keeps the register's stores behind the record's; the one behind them empties the
 * write-combining buffers, which any locked instruction does (Intel SDM volume 3A, "Buffering of Write Combining Memory
 * Locations"), so that the next doorbell, on another processor too, comes after this one. rdma-core uses sfence
 * (util/udma_barrier.h, util/mmio.h). On arm64 HotSpot's full fence is {@code dmb ish}, which orders nothing for an
 * observer outside the inner shareable domain, while rdma-core uses {@code dmb oshst} and {@code dsb st}: Java has no
 * such instruction, and the driver is not chosen there by itself, see {@link CardDriver}.
 */
final class BlueFlame {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer register;
    private final int bytes;
    private int offset;

    /**
     * @param register both buffers, or 8 bytes
     * @param bytes of a buffer, the longest WQE that can be copied; 0 for a register that takes doorbells only
     */
    BlueFlame(ByteBuffer register, int bytes) {
        this.register = register;
        this.bytes = bytes;
    }

    /** Returns the bytes of a buffer. */
    int bytes() {
        return bytes;
    }

    /**
     * Rings. The doorbell record was stored before.
     *
     * @param ring holds the send ring, from 0 on
     * @param mask bytes of the ring less one
     * @param at offset of the last WQE
     * @param length of that WQE in bytes, a multiple of 64, to have it copied; 0 for the doorbell alone
     */
    synchronized void ring(ByteBuffer ring, int mask, int at, int length) {
        VarHandle.fullFence();
        if (length == 0 || length > bytes) {
            // Opaque: one store of 8 bytes, neither left out nor joined with others.
            LONG.setOpaque(register, offset, (long) LONG.get(ring, at));
        } else {
            for (int i = 0; i < length; i += 8) {
                LONG.setOpaque(register, offset + i, (long) LONG.get(ring, at + i & mask));
            }
        }
        VarHandle.fullFence();
        offset ^= bytes;
    }
}
