package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Doorbell;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;

/** The doorbell of one send queue of a card. The thread that posts. */
final class CardDoorbell implements Doorbell {

    private final BlueFlame register;
    private final ByteBuffer ring;
    private final int mask;
    private final boolean copies;

    /** @param copies whether WQEs may travel with the doorbell */
    CardDoorbell(BlueFlame register, QueueMemory queue, boolean copies) {
        this.register = register;
        this.ring = queue.memory();
        this.mask = queue.entries() * Wqe.BLOCK - 1;
        this.copies = copies;
    }

    @Override
    public void ring(int producer) {
        throw new IllegalStateException("a card must be told where the last WQE lies, producer=" + producer);
    }

    @Override
    public void ring(int producer, int last, int blocks) {
        register.ring(ring, mask, last * Wqe.BLOCK, copies ? blocks * Wqe.BLOCK : 0);
    }
}
