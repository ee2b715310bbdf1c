package org.jvrpc.mlx5;

import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The control path of a QP: the kernel's for a card, the software RNIC's own. Any thread. */
public interface QueuePairControl {

    /** Returns the state that the device has the QP in. */
    QueuePairState state();

    /** See {@link org.jvrpc.verbs.QueuePair#init()}. */
    void init();

    /** See {@link org.jvrpc.verbs.QueuePair#endpoint()}. */
    byte[] endpoint();

    /** See {@link org.jvrpc.verbs.QueuePair#connect(byte[])}. */
    void connect(byte[] remoteEndpoint);

    /** See {@link org.jvrpc.verbs.QueuePair#error()}. */
    void error();

    /** See {@link org.jvrpc.verbs.QueuePair#wakePeer()}. */
    void wakePeer();

    /** Called by a poll that found a completion with error of this QP. */
    void failed();

    /**
     * Registers the send ring. See {@link Mlx5QueuePair#registerSendRing}.
     *
     * @throws VerbsException when the device cannot
     */
    default MemoryRegion registerSendRing(ProtectionDomain domain, int access) {
        throw new VerbsException("reg_mr", "device does not register send rings");
    }

    /** Destroys the QP. */
    void close();
}
