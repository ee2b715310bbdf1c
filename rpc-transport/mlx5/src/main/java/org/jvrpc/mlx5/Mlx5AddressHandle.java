package org.jvrpc.mlx5;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.verbs.AddressHandle;

/** An address handle: the address vector that WQEs get from it. Any thread. */
public final class Mlx5AddressHandle implements AddressHandle {

    private final long[] vector;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param vector the 48 bytes of {@link AddressVector} as 6 big-endian longs, without qkey and QP number
     * @param onClose destroys the handle; called once
     */
    public Mlx5AddressHandle(long[] vector, Runnable onClose) {
        if (vector.length != AddressVector.BYTES / 8) {
            throw new IllegalArgumentException("an address vector is 6 longs, longs=" + vector.length);
        }
        this.vector = vector.clone();
        this.onClose = onClose;
    }

    long[] vector() {
        return vector;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }
}
