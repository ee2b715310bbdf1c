package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.QpCommandLayouts;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.CreateQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.CreateQpResponse;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.ExHeader;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Header;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Mlx5CreateQp;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Mlx5CreateQpResponse;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpHandle;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.mlx5.Doorbell;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.QueuePairAttributes;

/**
 * Makes cross-channel and managed QPs, which libibverbs refuses and the kernel does not: by the kernel's extended
 * command with the create flags of its own interface, for queues that lie in memory of this process. Any thread.
 *
 * <pre>
 * command   0 header:8 bytes | 8 extended header:16 | 24 ib_uverbs_ex_create_qp:64 | 88 mlx5_ib_create_qp:56
 * answer    0 ib_uverbs_ex_create_qp_resp:40 | 40 mlx5_ib_create_qp_resp:40
 * queues    receive ring | send ring | at the next page: doorbell record:8
 * </pre>
 * The kernel wants such a QP to name its page of doorbells, and cards want it to be that of the CQs. Source: kernel
 * 6.12, drivers/infiniband/hw/mlx5/qp.c (_create_user_qp, process_create_flags) and core/uverbs_cmd.c (create_qp).
 */
final class ChainQueues {

    /** The doorbell of a managed send queue, which runs as far as an ENABLE lets it. */
    static final Doorbell SILENT = producer -> { };

    private static final int EX_CREATE_QP = (int) (QpCommandLayouts.IB_USER_VERBS_CMD_FLAG_EXTENDED
            | QpCommandLayouts.IB_USER_VERBS_EX_CMD_CREATE_QP);
    /** {@code IB_QP_CREATE_CROSS_CHANNEL}: this and the next two are the kernel's own, in no header for users. */
    private static final int CROSS_CHANNEL = 1 << 2;
    /** {@code IB_QP_CREATE_MANAGED_SEND}. */
    private static final int MANAGED_SEND = 1 << 3;
    /** {@code IB_QP_CREATE_MANAGED_RECV}. */
    private static final int MANAGED_RECV = 1 << 4;
    private static final int HEADERS = Header.BYTES + ExHeader.BYTES;
    private static final int EX_WORD = 8;
    private static final int PAGE = 4096;

    private final RdmaContext context;
    private final DirectVerbs direct;
    private final CommandFile commands;
    private final AtomicInteger userIndices = new AtomicInteger();
    private DirectVerbs.Page page;

    /** A QP, its rings, and the address of its doorbell register. */
    record Made(QpHandle handle, QueueMemory sends, QueueMemory receives, long register) {
    }

    ChainQueues(RdmaContext context, DirectVerbs direct, CommandFile commands) {
        this.context = context;
        this.direct = direct;
        this.commands = commands;
    }

    private synchronized DirectVerbs.Page page() {
        if (page == null) {
            page = direct.page(context.address());
        }
        return page;
    }

    synchronized void close() {
        if (page != null) {
            direct.free(page);
            page = null;
        }
    }

    /**
     * Makes a QP in RESET. Arguments are handles of the kernel.
     *
     * @throws NativeException when the kernel or the card refuses
     */
    Made create(int pd, QueuePairAttributes attributes, int sendCq, int receiveCq) {
        int blocks = Mlx5QueuePair.sendBlocks(attributes);
        int stride = Mlx5QueuePair.receiveStride(attributes);
        int entries = Math.max(Mlx5QueuePair.roundUp(attributes.maxReceiveWr()), Wqe.BLOCK / stride);
        int receiveBytes = entries * stride;
        int recordAt = receiveBytes + blocks * Wqe.BLOCK + PAGE - 1 & -PAGE;
        ByteBuffer memory = pages(recordAt + PAGE);
        long address = Native.addressOf(memory);
        DirectVerbs.Page doorbells = page();
        Native command = command(pd, attributes, sendCq, receiveCq)
                .putLong(HEADERS + CreateQp.BYTES + Mlx5CreateQp.BUF_ADDR, address)
                .putLong(HEADERS + CreateQp.BYTES + Mlx5CreateQp.DB_ADDR, address + recordAt)
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.SQ_WQE_COUNT, blocks)
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.RQ_WQE_COUNT, entries)
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.RQ_WQE_SHIFT, Integer.numberOfTrailingZeros(stride))
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.FLAGS,
                        QpCommandLayouts.MLX5_QP_FLAG_UAR_PAGE_INDEX)
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.UIDX, userIndices.getAndIncrement() & 0xffff)
                .putInt(HEADERS + CreateQp.BYTES + Mlx5CreateQp.BFREG_INDEX, doorbells.number());
        Native answer = Native.allocate(CreateQpResponse.BYTES + Mlx5CreateQpResponse.BYTES);
        command.putLong(Header.BYTES + ExHeader.RESPONSE, answer.address());
        if (!commands.write(command, HEADERS + CreateQp.BYTES + Mlx5CreateQp.BYTES)) {
            throw NativeException.last("create_qp", "cross-channel QP: device=" + context.name() + " blocks=" + blocks
                    + " receives=" + entries + "; a card without the capability cd refuses it");
        }
        QpHandle handle = new ChainHandle(commands, answer.getInt(CreateQpResponse.BASE_QP_HANDLE),
                answer.getInt(CreateQpResponse.BASE_QPN), memory);
        ByteBuffer sends = memory.slice(receiveBytes, blocks * Wqe.BLOCK);
        ByteBuffer records = memory.slice(recordAt, 8);
        return new Made(handle, new QueueMemory(sends, 0, blocks, Wqe.BLOCK, records, 0),
                new QueueMemory(memory.slice(0, receiveBytes), 0, entries, stride, records, 0), doorbells.register());
    }

    /** Makes zeroed memory of whole pages, which lives as long as a view of it. */
    private static ByteBuffer pages(int bytes) {
        return ByteBuffer.allocateDirect(bytes + PAGE).alignedSlice(PAGE).slice(0, bytes);
    }

    private static Native command(int pd, QueuePairAttributes attributes, int sendCq, int receiveCq) {
        int flags = CROSS_CHANNEL | (attributes.isManagedSend() ? MANAGED_SEND : 0)
                | (attributes.isManagedReceive() ? MANAGED_RECV : 0);
        return Native.allocate(HEADERS + CreateQp.BYTES + Mlx5CreateQp.BYTES)
                .putInt(Header.COMMAND, EX_CREATE_QP)
                .putShort(Header.IN_WORDS, CreateQp.BYTES / EX_WORD)
                .putShort(Header.OUT_WORDS, CreateQpResponse.BYTES / EX_WORD)
                .putShort(Header.BYTES + ExHeader.PROVIDER_IN_WORDS, Mlx5CreateQp.BYTES / EX_WORD)
                .putShort(Header.BYTES + ExHeader.PROVIDER_OUT_WORDS, Mlx5CreateQpResponse.BYTES / EX_WORD)
                .putInt(HEADERS + CreateQp.PD_HANDLE, pd)
                .putInt(HEADERS + CreateQp.SEND_CQ_HANDLE, sendCq)
                .putInt(HEADERS + CreateQp.RECV_CQ_HANDLE, receiveCq)
                .putInt(HEADERS + CreateQp.MAX_SEND_WR, attributes.maxSendWr())
                .putInt(HEADERS + CreateQp.MAX_RECV_WR, attributes.maxReceiveWr())
                .putInt(HEADERS + CreateQp.MAX_SEND_SGE, attributes.maxSendSge())
                .putInt(HEADERS + CreateQp.MAX_RECV_SGE, attributes.maxReceiveSge())
                .putInt(HEADERS + CreateQp.MAX_INLINE_DATA, attributes.maxInline())
                .putByte(HEADERS + CreateQp.QP_TYPE, Ibv.QPT_RC)
                .putInt(HEADERS + CreateQp.CREATE_FLAGS, flags);
    }
}
