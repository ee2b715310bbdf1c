package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.QpCommandLayouts;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.DestroyQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.ModifyQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.QueryQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.QueryQpResponse;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateAh;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateAhResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateCq;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateCqResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateQp;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateQpResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateSrq;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.CreateSrqResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.DestroyAh;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.MmapInfo;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.PostSend;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.ReqNotifyCq;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.RxeCreateAhResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.RxeCreateQpResponse;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.RxeCreateSrqResponse;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** The kernel's objects of one opened rxe device, by raw commands. Handles are the kernel's. Any thread. */
final class RxeCommands {

    /** {@code sizeof(struct ib_uverbs_send_wr)} is the least that the kernel takes as the size of a WQE. */
    private static final int WQE_SIZE = 128;
    private static final int DESTROY_RESPONSE = 8;

    private final CommandFile file;
    private final String device;

    /** A ring that may be mapped once. */
    record Ring(long offset, int bytes) {

        private static Ring at(Native response, int offset) {
            return new Ring(response.getLong(offset + MmapInfo.OFFSET), response.getInt(offset + MmapInfo.SIZE));
        }
    }

    /** A CQ. */
    record Cq(int handle, Ring ring) {
    }

    /** A QP; {@code receives} is null with an SRQ. */
    record Qp(int handle, int number, Ring sends, Ring receives) {
    }

    /** An SRQ. */
    record Srq(int handle, int number, Ring ring) {
    }

    /** An AH; {@code number} is what a WQE names. */
    record Ah(int handle, int number) {
    }

    RxeCommands(CommandFile file, String device) {
        this.file = file;
        this.device = device;
    }

    /** @param completionFd of the channel, or -1 */
    Cq createCq(int depth, long userHandle, int completionFd) {
        Native response = new UverbsCommand(
                UverbsLayouts.CREATE_CQ, CreateCq.BYTES, CreateCqResponse.BYTES + MmapInfo.BYTES)
                .putLong(CreateCq.USER_HANDLE, userHandle)
                .putInt(CreateCq.CQE, depth)
                .putInt(CreateCq.COMP_CHANNEL, completionFd)
                .execute(file, "create_cq", "depth=" + depth + " device=" + device);
        return new Cq(response.getInt(CreateCqResponse.CQ_HANDLE), Ring.at(response, CreateCqResponse.BYTES));
    }

    Qp createQp(int pd, int sendCq, int receiveCq, Integer srq, QueuePairAttributes attributes, long userHandle) {
        Native response = new UverbsCommand(
                UverbsLayouts.CREATE_QP, CreateQp.BYTES, CreateQpResponse.BYTES + RxeCreateQpResponse.BYTES)
                .putLong(CreateQp.USER_HANDLE, userHandle)
                .putInt(CreateQp.PD_HANDLE, pd)
                .putInt(CreateQp.SEND_CQ_HANDLE, sendCq)
                .putInt(CreateQp.RECV_CQ_HANDLE, receiveCq)
                .putInt(CreateQp.SRQ_HANDLE, srq == null ? 0 : srq)
                .putInt(CreateQp.MAX_SEND_WR, attributes.maxSendWr())
                .putInt(CreateQp.MAX_RECV_WR, srq == null ? attributes.maxReceiveWr() : 0)
                .putInt(CreateQp.MAX_SEND_SGE, attributes.maxSendSge())
                .putInt(CreateQp.MAX_RECV_SGE, srq == null ? attributes.maxReceiveSge() : 0)
                .putInt(CreateQp.MAX_INLINE_DATA, attributes.maxInline())
                .putByte(CreateQp.QP_TYPE, attributes.isDatagram() ? Ibv.QPT_UD : Ibv.QPT_RC)
                .putByte(CreateQp.IS_SRQ, srq == null ? 0 : 1)
                .execute(file, "create_qp", "maxSendWr=" + attributes.maxSendWr() + " maxReceiveWr="
                        + attributes.maxReceiveWr() + " maxSendSge=" + attributes.maxSendSge() + " maxReceiveSge="
                        + attributes.maxReceiveSge() + " maxInline=" + attributes.maxInline() + " device=" + device);
        int driver = CreateQpResponse.BYTES;
        return new Qp(response.getInt(CreateQpResponse.QP_HANDLE), response.getInt(CreateQpResponse.QPN),
                Ring.at(response, driver + RxeCreateQpResponse.SQ_MI),
                srq == null ? Ring.at(response, driver + RxeCreateQpResponse.RQ_MI) : null);
    }

    Srq createSrq(int pd, SharedReceiveQueueAttributes attributes, long userHandle) {
        Native response = new UverbsCommand(
                UverbsLayouts.CREATE_SRQ, CreateSrq.BYTES, CreateSrqResponse.BYTES + RxeCreateSrqResponse.BYTES)
                .putLong(CreateSrq.USER_HANDLE, userHandle)
                .putInt(CreateSrq.PD_HANDLE, pd)
                .putInt(CreateSrq.MAX_WR, attributes.maxWr())
                .putInt(CreateSrq.MAX_SGE, attributes.maxSge())
                .execute(file, "create_srq", "maxWr=" + attributes.maxWr() + " maxSge=" + attributes.maxSge()
                        + " device=" + device);
        int driver = CreateSrqResponse.BYTES;
        return new Srq(response.getInt(CreateSrqResponse.SRQ_HANDLE),
                response.getInt(driver + RxeCreateSrqResponse.SRQ_NUM),
                Ring.at(response, driver + RxeCreateSrqResponse.MI));
    }

    /** @param attr a {@code struct ibv_ah_attr}, whose layout is the kernel's, too */
    Ah createAh(int pd, byte[] attr, String values) {
        Native response = new UverbsCommand(
                UverbsLayouts.CREATE_AH, CreateAh.BYTES, CreateAhResponse.BYTES + RxeCreateAhResponse.BYTES)
                .putInt(CreateAh.PD_HANDLE, pd)
                .putBytes(CreateAh.ATTR, attr)
                .execute(file, "create_ah", values + " device=" + device);
        return new Ah(response.getInt(CreateAhResponse.AH_HANDLE),
                response.getInt(CreateAhResponse.BYTES + RxeCreateAhResponse.AH_NUM));
    }

    void modifyQp(int handle, QpChange change) {
        Native attr = change.attr();
        int ah = QpAttr.AH_ATTR;
        new UverbsCommand(QpCommandLayouts.IB_USER_VERBS_CMD_MODIFY_QP, ModifyQp.BYTES, 0)
                .putBytes(ModifyQp.DGID, attr.getBytes(ah + AhAttr.DGID, 16))
                .putInt(ModifyQp.FLOW_LABEL, attr.getInt(ah + AhAttr.FLOW_LABEL))
                .putShort(ModifyQp.DLID, attr.getShort(ah + AhAttr.DLID))
                .putByte(ModifyQp.SGID_INDEX, attr.getByte(ah + AhAttr.SGID_INDEX))
                .putByte(ModifyQp.HOP_LIMIT, attr.getByte(ah + AhAttr.HOP_LIMIT))
                .putByte(ModifyQp.TRAFFIC_CLASS, attr.getByte(ah + AhAttr.TRAFFIC_CLASS))
                .putByte(ModifyQp.SL, attr.getByte(ah + AhAttr.SL))
                .putByte(ModifyQp.SRC_PATH_BITS, attr.getByte(ah + AhAttr.SRC_PATH_BITS))
                .putByte(ModifyQp.STATIC_RATE, attr.getByte(ah + AhAttr.STATIC_RATE))
                .putByte(ModifyQp.IS_GLOBAL, attr.getByte(ah + AhAttr.IS_GLOBAL))
                .putByte(ModifyQp.DEST_PORT_NUM, attr.getByte(ah + AhAttr.PORT_NUM))
                .putInt(ModifyQp.QP_HANDLE, handle)
                .putInt(ModifyQp.ATTR_MASK, change.mask())
                .putInt(ModifyQp.QKEY, attr.getInt(QpAttr.QKEY))
                .putInt(ModifyQp.RQ_PSN, attr.getInt(QpAttr.RQ_PSN))
                .putInt(ModifyQp.SQ_PSN, attr.getInt(QpAttr.SQ_PSN))
                .putInt(ModifyQp.DEST_QP_NUM, attr.getInt(QpAttr.DEST_QP_NUM))
                .putInt(ModifyQp.QP_ACCESS_FLAGS, attr.getInt(QpAttr.QP_ACCESS_FLAGS))
                .putShort(ModifyQp.PKEY_INDEX, attr.getShort(QpAttr.PKEY_INDEX))
                .putByte(ModifyQp.QP_STATE, change.state())
                .putByte(ModifyQp.PATH_MTU, attr.getInt(QpAttr.PATH_MTU))
                .putByte(ModifyQp.MAX_RD_ATOMIC, attr.getByte(QpAttr.MAX_RD_ATOMIC))
                .putByte(ModifyQp.MAX_DEST_RD_ATOMIC, attr.getByte(QpAttr.MAX_DEST_RD_ATOMIC))
                .putByte(ModifyQp.MIN_RNR_TIMER, attr.getByte(QpAttr.MIN_RNR_TIMER))
                .putByte(ModifyQp.PORT_NUM, attr.getByte(QpAttr.PORT_NUM))
                .putByte(ModifyQp.TIMEOUT, attr.getByte(QpAttr.TIMEOUT))
                .putByte(ModifyQp.RETRY_CNT, attr.getByte(QpAttr.RETRY_CNT))
                .putByte(ModifyQp.RNR_RETRY, attr.getByte(QpAttr.RNR_RETRY))
                .execute(file, "modify_qp", "state=" + change.state() + " mask=0x"
                        + Integer.toHexString(change.mask()) + " device=" + device);
    }

    /** Returns the command that asks for a QP's state, for {@link #queryQpState}. */
    UverbsCommand stateQuery(int qp) {
        return new UverbsCommand(QpCommandLayouts.IB_USER_VERBS_CMD_QUERY_QP, QueryQp.BYTES, QueryQpResponse.BYTES)
                .putInt(QueryQp.QP_HANDLE, qp)
                .putInt(QueryQp.ATTR_MASK, Ibv.QP_STATE);
    }

    /** Returns {@code Ibv.QPS_…}. Allocates nothing. */
    int queryQpState(UverbsCommand query) {
        if (!query.write(file)) {
            throw refused("query_qp", "state");
        }
        return query.answer().getByte(QueryQpResponse.QP_STATE);
    }

    /** Returns the command that arms a CQ, to be written each time. */
    UverbsCommand armCommand(int cq) {
        return new UverbsCommand(UverbsLayouts.REQ_NOTIFY_CQ, ReqNotifyCq.BYTES, 0)
                .putInt(ReqNotifyCq.CQ_HANDLE, cq);
    }

    /** Returns the doorbell of a QP's SQ, to be written each time. */
    UverbsCommand doorbell(int qp) {
        return new UverbsCommand(UverbsLayouts.POST_SEND, PostSend.BYTES, 4)
                .putInt(PostSend.QP_HANDLE, qp)
                .putInt(PostSend.WQE_SIZE, WQE_SIZE);
    }

    /** Destroys a QP, CQ or SRQ; a device that is gone has destroyed it already. */
    void destroy(int command, int handle) {
        int bytes = command == UverbsLayouts.DESTROY_CQ ? DESTROY_RESPONSE : DESTROY_RESPONSE / 2;
        new UverbsCommand(command, DestroyQp.BYTES, bytes).putInt(DestroyQp.QP_HANDLE, handle).write(file);
    }

    /** Destroys an AH. */
    void destroyAh(int handle) {
        new UverbsCommand(UverbsLayouts.DESTROY_AH, DestroyAh.BYTES, 0).putInt(DestroyAh.AH_HANDLE, handle).write(file);
    }

    /** Returns the error of a command that was written without success. */
    VerbsException refused(String operation, String values) {
        return UverbsCommand.refused(file, operation, values + " device=" + device);
    }
}
