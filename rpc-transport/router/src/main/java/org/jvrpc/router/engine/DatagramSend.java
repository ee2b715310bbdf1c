package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.DatagramWay;
import org.jvrpc.router.engine.memory.Ring;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes the send queue of a tenant's datagram QP. Of an address vector the way's number counts, which was asked for
 * and allowed before, with the QP's number and key at its end; who sends is the router's own knowledge. What cannot be
 * delivered is dropped, and complete. The worker's thread.
 */
final class DatagramSend extends SendQueue {

    private static final int COPY_BLOCKS = 16;

    private final Ring ring;
    private final int pd;
    private final ByteBuffer wqe = ByteBuffer.allocateDirect(COPY_BLOCKS * Wqe.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    private final DataSegments data;

    DatagramSend(TenantQp qp, Ring ring, int pd, CqWriter completions) {
        super(qp, completions);
        this.ring = ring;
        this.pd = pd;
        this.data = new DataSegments(new QueueMemory(wqe, 0, COPY_BLOCKS, Wqe.BLOCK, 0), pd, qp.device().regions());
    }

    @Override
    int entries() {
        return ring.entries();
    }

    @Override
    public int run(int wqes, long bytes) {
        long limit = movedBytes + bytes;
        attempts++; // to be looked at in vain is not free
        for (int left = wqes; left > 0 && movedBytes < limit; left--) {
            if (executed == producer) {
                return TenantSend.DONE;
            }
            attempts += left == wqes ? 0 : 1;
            next();
        }
        return TenantSend.MORE;
    }

    private void next() {
        ring.copy(executed, wqe, 0);
        long control = BigEndian.getLong(wqe, 0);
        long flags = BigEndian.getLong(wqe, 8);
        int segments = Wqe.segments((int) control);
        int blocks = Math.max(1, Wqe.blocks(segments));
        WcStatus status;
        if (!qp.isRts()) {
            status = WcStatus.WR_FLUSH_ERR;
        } else if (segments < Wqe.DATAGRAM_DATA / Wqe.SEGMENT || blocks > producer - executed) {
            status = WcStatus.LOC_QP_OP_ERR;
        } else {
            for (int i = 1; i < blocks; i++) {
                ring.copy(executed + i, wqe, i * Wqe.BLOCK);
            }
            status = execute(control, flags);
        }
        complete(control, flags, status);
        executed += Math.min(blocks, producer - executed);
    }

    private WcStatus execute(long control, long flags) {
        int opcode = Wqe.opcode((int) (control >>> 32));
        if (opcode != Wqe.SEND && opcode != Wqe.SEND_IMM) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        WcStatus gathered = data.collect(0, Wqe.DATAGRAM_DATA, Wqe.segments((int) control), 0);
        if (gathered != WcStatus.SUCCESS) {
            return gathered;
        }
        TenantWays.Leg route = qp.device().routes().find(AddressVector.lid(wqe, Wqe.VECTOR),
                AddressVector.gidHigh(wqe, Wqe.VECTOR), AddressVector.gidLow(wqe, Wqe.VECTOR));
        if (route == null || route.pd() != pd) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (data.list().total() > DatagramEngine.MAX_DATAGRAM) {
            return WcStatus.LOC_LEN_ERR;
        }
        if (route.device() == null) {
            sendAway(route.away(), opcode == Wqe.SEND_IMM, (int) flags);
            return WcStatus.SUCCESS;
        }
        DatagramTarget target = route.target(AddressVector.qpn(wqe, Wqe.VECTOR));
        if (target != null && target.isReady()) {
            qp.device().worker().touch(route.device());
            target.deliver(data.list(), opcode == Wqe.SEND_IMM ? Cqe.RESP_SEND_IMM : Cqe.RESP_SEND, (int) flags,
                    qp.number(), AddressVector.qkey(wqe, Wqe.VECTOR));
            movedBytes += data.list().total();
        }
        return WcStatus.SUCCESS;
    }

    private void sendAway(DatagramWay way, boolean hasImmediate, int immediate) {
        if (way != null && way.send(data.list(), hasImmediate, immediate, qp.number(),
                AddressVector.qpn(wqe, Wqe.VECTOR), AddressVector.qkey(wqe, Wqe.VECTOR))) {
            movedBytes += data.list().total();
        }
    }

    private void complete(long control, long flags, WcStatus status) {
        if (status == WcStatus.SUCCESS) {
            succeeds(control, flags, (int) data.list().total());
            return;
        }
        boolean begins = qp.isRts();
        fails(status);
        if (begins) {
            tell();
        }
    }

    @Override
    public long againNs() {
        return 0; // it never waits
    }
}
