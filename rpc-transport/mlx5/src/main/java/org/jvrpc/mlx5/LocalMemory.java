package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/** How a driver reaches the memory behind an address and a key of its own process, for data that a CPU must copy. */
public interface LocalMemory {

    /** Copies {@code length} bytes of registered memory to {@code target[offset…]}; false when the key refuses. */
    boolean read(long address, int lkey, byte[] target, int offset, int length);

    /** Copies {@code length} bytes to registered memory; false when the key refuses. */
    boolean write(long address, int lkey, ByteBuffer source, int offset, int length);

    /** Returns what of it the device does not reach itself; null where it reaches all. Asked once a queue. */
    default ShadowMemory shadow() {
        return null;
    }
}
