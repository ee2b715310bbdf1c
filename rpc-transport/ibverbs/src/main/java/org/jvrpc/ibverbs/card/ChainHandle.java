package org.jvrpc.ibverbs.card;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.QpCommandLayouts;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.DestroyQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.DestroyQpResponse;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Header;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.ModifyQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.QueryQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.QueryQpResponse;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpHandle;
import org.jvrpc.verbs.VerbsException;

/** A QP that {@link ChainQueues} made; the kernel's commands change it: libibverbs does not know it. Any thread. */
final class ChainHandle implements QpHandle {

    private static final int WORD = 4;

    private final CommandFile commands;
    private final int handle;
    private final int number;
    /** Held as long as the card may read it. */
    private ByteBuffer queues;

    ChainHandle(CommandFile commands, int handle, int number, ByteBuffer queues) {
        this.commands = commands;
        this.handle = handle;
        this.number = number;
        this.queues = queues;
    }

    private static Native command(int number, int bytes, int answerBytes) {
        return Native.allocate(Header.BYTES + bytes)
                .putInt(Header.COMMAND, number)
                .putShort(Header.IN_WORDS, (Header.BYTES + bytes) / WORD)
                .putShort(Header.OUT_WORDS, answerBytes / WORD);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public synchronized void modify(QpChange change) {
        if (queues == null) {
            throw new VerbsException("modify_qp", "qp is closed, number=" + number);
        }
        Native attr = change.attr();
        Native command = command(QpCommandLayouts.IB_USER_VERBS_CMD_MODIFY_QP, ModifyQp.BYTES, 0);
        destination(command, attr);
        command.putInt(Header.BYTES + ModifyQp.QP_HANDLE, handle)
                .putInt(Header.BYTES + ModifyQp.ATTR_MASK, change.mask())
                .putInt(Header.BYTES + ModifyQp.RQ_PSN, attr.getInt(QpAttr.RQ_PSN))
                .putInt(Header.BYTES + ModifyQp.SQ_PSN, attr.getInt(QpAttr.SQ_PSN))
                .putInt(Header.BYTES + ModifyQp.DEST_QP_NUM, attr.getInt(QpAttr.DEST_QP_NUM))
                .putInt(Header.BYTES + ModifyQp.QP_ACCESS_FLAGS, attr.getInt(QpAttr.QP_ACCESS_FLAGS))
                .putShort(Header.BYTES + ModifyQp.PKEY_INDEX, attr.getShort(QpAttr.PKEY_INDEX))
                .putByte(Header.BYTES + ModifyQp.QP_STATE, change.state())
                .putByte(Header.BYTES + ModifyQp.PATH_MTU, attr.getInt(QpAttr.PATH_MTU))
                .putByte(Header.BYTES + ModifyQp.MAX_RD_ATOMIC, attr.getByte(QpAttr.MAX_RD_ATOMIC))
                .putByte(Header.BYTES + ModifyQp.MAX_DEST_RD_ATOMIC, attr.getByte(QpAttr.MAX_DEST_RD_ATOMIC))
                .putByte(Header.BYTES + ModifyQp.MIN_RNR_TIMER, attr.getByte(QpAttr.MIN_RNR_TIMER))
                .putByte(Header.BYTES + ModifyQp.PORT_NUM, attr.getByte(QpAttr.PORT_NUM))
                .putByte(Header.BYTES + ModifyQp.TIMEOUT, attr.getByte(QpAttr.TIMEOUT))
                .putByte(Header.BYTES + ModifyQp.RETRY_CNT, attr.getByte(QpAttr.RETRY_CNT))
                .putByte(Header.BYTES + ModifyQp.RNR_RETRY, attr.getByte(QpAttr.RNR_RETRY));
        if (!commands.write(command, Header.BYTES + ModifyQp.BYTES)) {
            throw NativeException.last("modify_qp", "cross-channel qp number=" + number + " state=" + change.state()
                    + " mask=0x" + Integer.toHexString(change.mask()));
        }
    }

    private static void destination(Native command, Native attr) {
        int ah = QpAttr.AH_ATTR;
        command.putBytes(Header.BYTES + ModifyQp.DEST_DGID, attr.getBytes(ah + AhAttr.DGID, 16))
                .putInt(Header.BYTES + ModifyQp.DEST_FLOW_LABEL, attr.getInt(ah + AhAttr.FLOW_LABEL))
                .putShort(Header.BYTES + ModifyQp.DEST_DLID, attr.getShort(ah + AhAttr.DLID))
                .putByte(Header.BYTES + ModifyQp.DEST_SGID_INDEX, attr.getByte(ah + AhAttr.SGID_INDEX))
                .putByte(Header.BYTES + ModifyQp.DEST_HOP_LIMIT, attr.getByte(ah + AhAttr.HOP_LIMIT))
                .putByte(Header.BYTES + ModifyQp.DEST_TRAFFIC_CLASS, attr.getByte(ah + AhAttr.TRAFFIC_CLASS))
                .putByte(Header.BYTES + ModifyQp.DEST_SL, attr.getByte(ah + AhAttr.SL))
                .putByte(Header.BYTES + ModifyQp.DEST_SRC_PATH_BITS, attr.getByte(ah + AhAttr.SRC_PATH_BITS))
                .putByte(Header.BYTES + ModifyQp.DEST_STATIC_RATE, attr.getByte(ah + AhAttr.STATIC_RATE))
                .putByte(Header.BYTES + ModifyQp.DEST_IS_GLOBAL, attr.getByte(ah + AhAttr.IS_GLOBAL))
                .putByte(Header.BYTES + ModifyQp.DEST_PORT_NUM, attr.getByte(ah + AhAttr.PORT_NUM));
    }

    @Override
    public synchronized int queryState() {
        if (queues == null) {
            return Ibv.QPS_RESET;
        }
        Native answer = Native.allocate(QueryQpResponse.BYTES);
        Native command = command(QpCommandLayouts.IB_USER_VERBS_CMD_QUERY_QP, QueryQp.BYTES, QueryQpResponse.BYTES)
                .putLong(Header.BYTES + QueryQp.RESPONSE, answer.address())
                .putInt(Header.BYTES + QueryQp.QP_HANDLE, handle)
                .putInt(Header.BYTES + QueryQp.ATTR_MASK, Ibv.QP_STATE);
        if (!commands.write(command, Header.BYTES + QueryQp.BYTES)) {
            throw NativeException.last("query_qp", "cross-channel qp number=" + number);
        }
        return answer.getByte(QueryQpResponse.QP_STATE);
    }

    @Override
    public synchronized void destroy() {
        if (queues != null) {
            Native answer = Native.allocate(8);
            commands.write(command(
                    QpCommandLayouts.IB_USER_VERBS_CMD_DESTROY_QP, DestroyQp.BYTES, DestroyQpResponse.BYTES)
                    .putLong(Header.BYTES + DestroyQp.RESPONSE, answer.address())
                    .putInt(Header.BYTES + DestroyQp.QP_HANDLE, handle), Header.BYTES + DestroyQp.BYTES);
            Reference.reachabilityFence(answer);
            queues = null;
        }
    }
}
