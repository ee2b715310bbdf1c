package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.ServiceClass;

/**
 * One transition of a QP: {@code struct ibv_qp_attr} and the mask of what is set in it. A builder. Source:
 * ibv_modify_qp(3). One thread.
 */
public final class QpChange {

    private final Native attr = Native.allocate(QpAttr.BYTES);
    private int mask;

    /** Begins a transition to a state, {@code Ibv.QPS_…}. */
    public QpChange(int state) {
        attr.putInt(QpAttr.QP_STATE, state);
        mask = Ibv.QP_STATE;
    }

    /** Returns the struct. */
    public Native attr() {
        return attr;
    }

    /** Returns the mask, bits of {@code Ibv.QP_…}. */
    public int mask() {
        return mask;
    }

    /** Returns the state that is asked for. */
    public int state() {
        return attr.getInt(QpAttr.QP_STATE);
    }

    /** Sets the mask that somebody else, such as {@code rdma_init_qp_attr}, filled the struct for. */
    public QpChange mask(int mask) {
        this.mask = mask;
        return this;
    }

    private QpChange with(int bit) {
        mask |= bit;
        return this;
    }

    /** Sets what INIT needs: the port, and what the peer may do to memory. */
    public QpChange port(int number, int access) {
        attr.putByte(QpAttr.PORT_NUM, number).putShort(QpAttr.PKEY_INDEX, 0).putInt(QpAttr.QP_ACCESS_FLAGS, access);
        return with(Ibv.QP_PORT | Ibv.QP_PKEY_INDEX | Ibv.QP_ACCESS_FLAGS);
    }

    /** Sets the port and the qkey of a datagram QP. */
    public QpChange datagramPort(int number, int qkey) {
        attr.putByte(QpAttr.PORT_NUM, number).putShort(QpAttr.PKEY_INDEX, 0).putInt(QpAttr.QKEY, qkey);
        return with(Ibv.QP_PORT | Ibv.QP_PKEY_INDEX | Ibv.QP_QKEY);
    }

    /** Sets the way to the peer. */
    public QpChange path(RdmaPort port, RdmaEndpoint remote, ServiceClass service) {
        address(attr, QpAttr.AH_ATTR, port, remote, 0, service);
        attr.putInt(QpAttr.PATH_MTU, Math.min(port.mtu(), remote.mtu()))
                .putInt(QpAttr.DEST_QP_NUM, remote.qpn())
                .putInt(QpAttr.RQ_PSN, remote.psn());
        return with(Ibv.QP_AV | Ibv.QP_PATH_MTU | Ibv.QP_DEST_QPN | Ibv.QP_RQ_PSN);
    }

    /** Sets what packets ask for, of a way to the peer that somebody else filled in. */
    QpChange service(ServiceClass service) {
        service(attr, QpAttr.AH_ATTR, service);
        return this;
    }

    private static void service(Native memory, int at, ServiceClass service) {
        memory.putByte(at + AhAttr.SL, service.level()).putByte(at + AhAttr.TRAFFIC_CLASS, service.trafficClass());
    }

    /** Fills a {@code struct ibv_ah_attr}. */
    public static void address(
            Native memory, int at, RdmaPort port, RdmaEndpoint remote, int flowLabel, ServiceClass service) {
        service(memory, at, service);
        memory.putBytes(at + AhAttr.DGID, remote.gid().bytes())
                .putInt(at + AhAttr.FLOW_LABEL, flowLabel)
                .putByte(at + AhAttr.SGID_INDEX, port.gidIndex())
                .putByte(at + AhAttr.HOP_LIMIT, 64)
                .putByte(at + AhAttr.IS_GLOBAL, port.ethernet() ? 1 : 0)
                .putShort(at + AhAttr.DLID, remote.lid())
                .putByte(at + AhAttr.PORT_NUM, port.number());
    }

    /** Sets the responder's side: READs and atomics under way, and the code of the RNR timer. */
    public QpChange responder(int maxDestRdAtomic, int minRnrTimer) {
        attr.putByte(QpAttr.MAX_DEST_RD_ATOMIC, maxDestRdAtomic).putByte(QpAttr.MIN_RNR_TIMER, minRnrTimer);
        return with(Ibv.QP_MAX_DEST_RD_ATOMIC | Ibv.QP_MIN_RNR_TIMER);
    }

    /** Sets the requester's side. */
    public QpChange requester(int psn, int timeout, int retries, int rnrRetries, int maxRdAtomic) {
        attr.putInt(QpAttr.SQ_PSN, psn)
                .putByte(QpAttr.TIMEOUT, timeout)
                .putByte(QpAttr.RETRY_CNT, retries)
                .putByte(QpAttr.RNR_RETRY, rnrRetries)
                .putByte(QpAttr.MAX_RD_ATOMIC, maxRdAtomic);
        return with(Ibv.QP_SQ_PSN | Ibv.QP_TIMEOUT | Ibv.QP_RETRY_CNT | Ibv.QP_RNR_RETRY | Ibv.QP_MAX_QP_RD_ATOMIC);
    }

    /** Sets the first PSN of a datagram QP. */
    public QpChange psn(int psn) {
        attr.putInt(QpAttr.SQ_PSN, psn);
        return with(Ibv.QP_SQ_PSN);
    }
}
