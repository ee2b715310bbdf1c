package org.jvrpc.softrnic;

import java.util.function.UnaryOperator;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.Sge;

/** A QP in INIT that never gives up on RNR, with two CQs on a channel and some memory. */
public final class ShmEnd implements AutoCloseable {

    /** Of datagram QPs. */
    public static final int QKEY = 0x01020304;

    public final ProtectionDomain pd;
    public final EventChannel channel;
    public final CompletionQueue sendCq;
    public final CompletionQueue receiveCq;
    public final MemoryRegion mr;
    public final QueuePair qp;
    private final boolean ownsReceiveCq;

    /** Makes one with CQs and a channel of its own. */
    public ShmEnd(Device device, int receives) {
        this(device, receives, null, device.createChannel());
    }

    /** @param shared the receive CQ, or null to make one */
    public ShmEnd(Device device, int receives, CompletionQueue shared, EventChannel channel) {
        this(device, receives, shared, channel, attributes -> attributes);
    }

    /** @param more what else the QP is made with */
    public ShmEnd(Device device, int receives, CompletionQueue shared, EventChannel channel,
            UnaryOperator<QueuePairAttributes> more) {
        this.channel = channel;
        pd = device.allocatePd();
        CompletionQueueAttributes attributes = CompletionQueueAttributes.ofDepth(256).withChannel(channel);
        sendCq = device.createCq(attributes);
        ownsReceiveCq = shared == null;
        receiveCq = ownsReceiveCq ? device.createCq(attributes) : shared;
        mr = pd.allocate(1 << 16, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        qp = pd.createQp(more.apply(new QueuePairAttributes(sendCq, receiveCq)
                .depth(64, receives).rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1000)));
        qp.init();
    }

    /** Returns a piece of the memory. */
    public Sge sge(long offset, int length) {
        return Sge.of(mr, offset, length);
    }

    /** Closes all but the channel. */
    @Override
    public void close() {
        qp.close();
        mr.close();
        sendCq.close();
        if (ownsReceiveCq) {
            receiveCq.close();
        }
        pd.close();
    }
}
