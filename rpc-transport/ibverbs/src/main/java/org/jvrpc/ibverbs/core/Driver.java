package org.jvrpc.ibverbs.core;

import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;

/**
 * How the queues of one kind of device are made and driven. A user driver works on the device's rings from Java; the
 * generic one calls libibverbs for each post and poll. One object a device. Any thread.
 */
public interface Driver {

    /** Returns a name for messages: {@code rxe}, {@code mlx5} or {@code generic}. */
    String name();

    /** See {@link org.jvrpc.verbs.Device#createCq}. */
    CompletionQueue createCq(CompletionQueueAttributes attributes);

    /** See {@link org.jvrpc.verbs.ProtectionDomain#createQp}. */
    RdmaQueuePair createQp(RdmaDomain domain, QueuePairAttributes attributes);

    /** See {@link org.jvrpc.verbs.ProtectionDomain#createSrq}. */
    SharedReceiveQueue createSrq(RdmaDomain domain, SharedReceiveQueueAttributes attributes);

    /** See {@link org.jvrpc.verbs.ProtectionDomain#createAh(byte[], int, ServiceClass)}. */
    AddressHandle createAh(RdmaDomain domain, RdmaEndpoint remote, int flowLabel, ServiceClass service);

    /** Called when a domain without children is about to end. */
    default void closing(RdmaDomain domain) {
    }
}
