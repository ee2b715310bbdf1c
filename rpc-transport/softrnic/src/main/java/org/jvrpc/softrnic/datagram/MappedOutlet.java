package org.jvrpc.softrnic.datagram;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.WcStatus;

/** Writes messages to QPs whose memory is mapped: their receives are filled by the sender. */
final class MappedOutlet implements DatagramOutlet {

    private final DatagramRoutes routes;
    private final int qpn;
    private final int pd;
    private final DatagramTargets targets = new DatagramTargets();

    /** @param routes of the QP's device */
    MappedOutlet(DatagramRoutes routes, PortQueuePair qp) {
        this.routes = routes;
        this.qpn = qp.number();
        this.pd = qp.pd();
    }

    @Override
    public WcStatus send(ByteBuffer memory, int vector, GatherList message, boolean hasImmediate, int immediate,
            boolean solicited) {
        DatagramRoute route = routes.find(AddressVector.lid(memory, vector),
                AddressVector.gidHigh(memory, vector), AddressVector.gidLow(memory, vector));
        if (route == null || route.pd() != pd) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (message.total() > DatagramEngine.MAX_DATAGRAM) {
            return WcStatus.LOC_LEN_ERR;
        }
        DatagramTarget target = targets.find(route, AddressVector.qpn(memory, vector));
        if (target == null) {
            routes.drop();
        } else {
            target.deliver(message, hasImmediate ? Cqe.RESP_SEND_IMM : Cqe.RESP_SEND, immediate, qpn,
                    AddressVector.qkey(memory, vector));
        }
        return WcStatus.SUCCESS;
    }
}
