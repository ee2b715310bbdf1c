package org.jvrpc.ibverbs.card;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.mlx5.Doorbell;
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;

/** A QP of a card. Threads as in {@link Mlx5QueuePair}. */
final class CardQueuePair extends Mlx5QueuePair implements RdmaQueuePair {

    private final CardControl control;
    private final AtomicBoolean closing = new AtomicBoolean();

    CardQueuePair(CardControl control, QueueMemory sends, QueueMemory receives, Doorbell doorbell,
            LocalMemory memory) {
        super(control.states().number(), control.states().attributes(), sends, receives, doorbell, control, memory);
        this.control = control;
    }

    boolean isAt(long address) {
        return control.isAt(address);
    }

    @Override
    public QpStates states() {
        return control.states();
    }

    @Override
    public void close() {
        control.whileOpen(this::end);
    }

    private void end() {
        if (closing.compareAndSet(false, true)) {
            control.retire(this);
            super.close();
        }
    }
}
