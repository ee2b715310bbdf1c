package org.jvrpc.ibverbs.card;

import static org.jvrpc.ibverbs.card.ModelCard.WORLD;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Ah;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.CompChannel;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.Layouts.Cq;
import org.jvrpc.ibverbs.binding.Layouts.DeviceAttr;
import org.jvrpc.ibverbs.binding.Layouts.Mr;
import org.jvrpc.ibverbs.binding.Layouts.Pd;
import org.jvrpc.ibverbs.binding.Layouts.PortAttr;
import org.jvrpc.ibverbs.binding.Layouts.Qp;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpCap;
import org.jvrpc.ibverbs.binding.Layouts.QpInitAttr;
import org.jvrpc.ibverbs.binding.Layouts.SrqInitAttr;
import org.jvrpc.ibverbs.binding.LibIbverbs;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.AsyncEvent;

/** libibverbs and the kernel of the model: makes structs in memory, and in a {@link ModelCard} what lies behind. */
final class ModelVerbs implements LibIbverbs {

    private static final int EINVAL = 22;
    private static final int MAX_BLOCKS = 1 << 15;
    /** By code. Source: IBA volume 1, 9.7.5.2.8. */
    private static final int[] RNR_TIMER_US = {
        655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680, 10_240,
        15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760, 327_680, 491_520
    };

    final ModelCard card;
    final Native context = Native.allocate(Context.BYTES);
    final Map<Long, Native> vectors = new HashMap<>();
    private final Map<Long, Native> pds = new HashMap<>();
    private final Map<Long, ModelChannel> channels = new HashMap<>();
    private final Map<Long, Native> kept = new HashMap<>();
    /** The number that the next QP gets, or 0: as cards do, it may have been another's. */
    int nextQpn;
    int destroyedQps;
    int freedPages;
    /** A state that the kernel refuses to move to, once; or -1. */
    int refusedState = -1;
    int atomicCap = 1;

    ModelVerbs(ModelCard card) {
        this.card = card;
        context.putInt(Context.CMD_FD, -1).putInt(Context.ASYNC_FD, card.asyncChannel.readFd);
    }

    private Native keep(int bytes) {
        Native struct = Native.allocate(bytes);
        kept.put(struct.address(), struct);
        return struct;
    }

    private static ModelStruct view(long address, int bytes) {
        return new ModelStruct(address, bytes);
    }

    @Override
    public long ibv_get_device_list(long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void ibv_free_device_list(long list) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String ibv_get_device_name(long device) {
        return "model";
    }

    @Override
    public long ibv_open_device(long device) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int ibv_close_device(long address) {
        card.unplug();
        return 0;
    }

    @Override
    public int ibv_query_device(long address, long attr) {
        view(attr, DeviceAttr.BYTES)
                .putInt(DeviceAttr.MAX_QP, 1000).putInt(DeviceAttr.MAX_QP_WR, 32768).putInt(DeviceAttr.MAX_SGE, 30)
                .putInt(DeviceAttr.MAX_CQE, (1 << 22) - 1).putInt(DeviceAttr.MAX_SRQ_WR, 32767)
                .putInt(DeviceAttr.MAX_SRQ_SGE, 31).putInt(DeviceAttr.MAX_QP_RD_ATOM, 16)
                .putInt(DeviceAttr.MAX_QP_INIT_RD_ATOM, 16).putInt(DeviceAttr.ATOMIC_CAP, atomicCap)
                .putInt(DeviceAttr.VENDOR_ID, 0x2c9);
        return 0;
    }

    @Override
    public int ibv_query_port(long address, int port, long attr) {
        view(attr, PortAttr.BYTES).putInt(PortAttr.STATE, Ibv.PORT_ACTIVE).putInt(PortAttr.ACTIVE_MTU, 3)
                .putInt(PortAttr.GID_TBL_LEN, 1).putByte(PortAttr.LINK_LAYER, Ibv.LINK_LAYER_ETHERNET);
        return 0;
    }

    @Override
    public int ibv_query_gid(long address, int port, int index, long gid) {
        view(gid, 16).putBytes(0, card.gid);
        return 0;
    }

    @Override
    public long ibv_alloc_pd(long address) {
        synchronized (WORLD) {
            Native pd = keep(Pd.BYTES).putLong(Pd.CONTEXT, context.address()).putInt(Pd.HANDLE, card.nextNumber());
            pds.put(pd.address(), pd);
            return pd.address();
        }
    }

    @Override
    public int ibv_dealloc_pd(long pd) {
        synchronized (WORLD) {
            if (card.qps.values().stream().anyMatch(qp -> qp.pd == pd)
                    || card.srqs.values().stream().anyMatch(srq -> srq.pd == pd)
                    || card.regions.values().stream().anyMatch(region -> region.pd() == pd)) {
                card.faults.add("dealloc_pd of a PD in use");
                return EINVAL;
            }
            pds.remove(pd);
            return 0;
        }
    }

    @Override
    public long ibv_reg_mr(long pd, long address, long length, int access) {
        synchronized (WORLD) {
            int key = card.nextNumber() << 8 | 0x37;
            Native mr = keep(Mr.BYTES).putInt(Mr.LKEY, key).putInt(Mr.RKEY, key);
            card.regions.put(key, new ModelCard.Region(mr, pd, address, length, access, key));
            return mr.address();
        }
    }

    @Override
    public int ibv_dereg_mr(long mr) {
        synchronized (WORLD) {
            card.regions.values().removeIf(region -> region.handle().address() == mr);
            return 0;
        }
    }

    @Override
    public long ibv_create_comp_channel(long address) {
        ModelChannel channel = new ModelChannel();
        Native struct = keep(CompChannel.BYTES).putInt(CompChannel.FD, channel.readFd);
        channels.put(struct.address(), channel);
        return struct.address();
    }

    @Override
    public int ibv_destroy_comp_channel(long channel) {
        channels.remove(channel).close();
        return 0;
    }

    @Override
    public long ibv_create_cq(long address, int depth, long cqContext, long channel, int vector) {
        return createCq(depth, channel, 64, false);
    }

    long createCq(int depth, long channel, int cqeBytes, boolean ignoreOverrun) {
        synchronized (WORLD) {
            int entries = ModelCard.roundUp(depth + 1);
            Native cq = keep(Cq.BYTES).putInt(Cq.HANDLE, card.nextNumber()).putInt(Cq.CQE, entries - 1);
            card.cqs.put(cq.address(), new ModelCq(
                    cq, card.nextNumber(), entries, cqeBytes, ignoreOverrun, channels.get(channel)));
            return cq.address();
        }
    }

    @Override
    public int ibv_destroy_cq(long address) {
        synchronized (WORLD) {
            ModelCq cq = card.cqs.get(address);
            if (card.qps.values().stream().anyMatch(qp -> qp.sendCq == cq || qp.receiveCq == cq)) {
                card.faults.add("destroy_cq of a CQ in use");
            }
            card.cqs.remove(address);
            return 0;
        }
    }

    @Override
    public int ibv_get_cq_event(long channel, long cq, long cqContext) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void ibv_ack_cq_events(long address, int count) {
        synchronized (WORLD) {
            ModelCq cq = card.cqs.get(address);
            cq.acknowledged += count;
            if (cq.acknowledged > cq.reported) {
                card.faults.add("events acknowledged=" + cq.acknowledged + " reported=" + cq.reported);
            }
        }
    }

    @Override
    public long ibv_create_srq(long pd, long attr) {
        synchronized (WORLD) {
            ModelStruct init = view(attr, 24);
            Native srq = keep(128);
            card.srqs.put(srq.address(), new ModelSrq(srq, card.nextNumber(), pd, init.getInt(SrqInitAttr.MAX_WR),
                    init.getInt(SrqInitAttr.MAX_SGE)));
            return srq.address();
        }
    }

    @Override
    public int ibv_destroy_srq(long srq) {
        synchronized (WORLD) {
            if (card.qps.values().stream().anyMatch(qp -> qp.srq == card.srqs.get(srq))) {
                card.faults.add("destroy_srq of an SRQ in use");
            }
            card.srqs.remove(srq);
            return 0;
        }
    }

    @Override
    public long ibv_create_qp(long pd, long attr) {
        synchronized (WORLD) {
            ModelStruct init = view(attr, QpInitAttr.BYTES);
            int cap = QpInitAttr.CAP;
            boolean datagram = init.getInt(QpInitAttr.QP_TYPE) == Ibv.QPT_UD;
            int overhead = datagram ? 64 : 192; // sq_overhead of libmlx5, nearly
            int inline = init.getInt(cap + QpCap.MAX_INLINE_DATA);
            int wqe = overhead + 63 + Math.max(
                    16 * init.getInt(cap + QpCap.MAX_SEND_SGE), inline == 0 ? 0 : inline + 19 & -16) & -64;
            int blocks = ModelCard.roundUp(init.getInt(cap + QpCap.MAX_SEND_WR) * wqe) / 64;
            if (blocks > MAX_BLOCKS) {
                return 0;
            }
            ModelSrq srq = card.srqs.get(init.getLong(QpInitAttr.SRQ));
            int stride = ModelCard.roundUp(16 * Math.max(1, init.getInt(cap + QpCap.MAX_RECV_SGE)));
            int receives = srq != null ? 0
                    : Math.max(ModelCard.roundUp(init.getInt(cap + QpCap.MAX_RECV_WR)), 64 / stride);
            int number = nextQpn != 0 ? nextQpn : 0x100 + card.nextNumber();
            nextQpn = 0;
            Native qp = keep(Qp.BYTES).putInt(Qp.QP_NUM, number);
            card.qps.put(qp.address(), new ModelQp(qp, card, number, pd, datagram,
                    card.cqs.get(init.getLong(QpInitAttr.SEND_CQ)), card.cqs.get(init.getLong(QpInitAttr.RECV_CQ)),
                    srq, blocks, receives, stride, card.register()));
            return qp.address();
        }
    }

    @Override
    public int ibv_modify_qp(long address, long attr, int mask) {
        synchronized (WORLD) {
            ModelQp qp = card.qps.get(address);
            ModelStruct change = view(attr, QpAttr.BYTES);
            int state = change.getInt(QpAttr.QP_STATE);
            if (state == Ibv.QPS_RESET) {
                qp.reset();
                card.live.remove(qp);
                return 0;
            }
            if (state == refusedState) {
                refusedState = -1;
                return EINVAL;
            }
            if (state != Ibv.QPS_ERR && state != qp.state + 1) {
                return EINVAL;
            }
            qp.state = state;
            card.live.add(qp);
            qp.qkey = (mask & Ibv.QP_QKEY) != 0 ? change.getInt(QpAttr.QKEY) : qp.qkey;
            if ((mask & Ibv.QP_AV) != 0) {
                qp.peerGid = change.getBytes(QpAttr.AH_ATTR + AhAttr.DGID, 16);
                qp.peerNumber = change.getInt(QpAttr.DEST_QP_NUM);
                qp.rnrTimerNs = RNR_TIMER_US[change.getByte(QpAttr.MIN_RNR_TIMER)] * 1000L;
            }
            qp.rnrRetry = (mask & Ibv.QP_RNR_RETRY) != 0 ? change.getByte(QpAttr.RNR_RETRY) : qp.rnrRetry;
            ModelEngine.run(qp);
            return 0;
        }
    }

    @Override
    public int ibv_query_qp(long qp, long attr, int mask, long init) {
        synchronized (WORLD) {
            view(attr, QpAttr.BYTES).putInt(QpAttr.QP_STATE, card.qps.get(qp).state);
            return 0;
        }
    }

    @Override
    public int ibv_destroy_qp(long qp) {
        synchronized (WORLD) {
            destroyedQps++;
            card.live.remove(card.qps.remove(qp));
            return 0;
        }
    }

    @Override
    public long ibv_create_ah(long pd, long attr) {
        synchronized (WORLD) {
            ModelStruct wanted = view(attr, AhAttr.BYTES);
            Native vector = Native.allocate(48);
            vector.putByte(12, wanted.getByte(AhAttr.SL)).putByte(25, 0x42).putByte(27, 64).putByte(28, 0x40)
                    .putByte(29, wanted.getByte(AhAttr.SGID_INDEX))
                    .putBytes(32, wanted.getBytes(AhAttr.DGID, 16));
            Native ah = keep(Ah.BYTES);
            vectors.put(ah.address(), vector);
            return ah.address();
        }
    }

    @Override
    public int ibv_destroy_ah(long ah) {
        synchronized (WORLD) {
            vectors.remove(ah);
            return 0;
        }
    }

    @Override
    public int ibv_get_async_event(long address, long event) {
        if (!ModelCard.isDue()) {
            return -1;
        }
        synchronized (WORLD) {
            ModelCard.stepAll();
            if (card.asyncEvents.isEmpty()) {
                return -1;
            }
            long[] next = card.asyncEvents.remove(0);
            card.asyncChannel.take();
            view(event, AsyncEvent.BYTES).putInt(AsyncEvent.EVENT_TYPE, (int) next[0])
                    .putLong(AsyncEvent.ELEMENT, next[1]);
            return 0;
        }
    }

    @Override
    public void ibv_ack_async_event(long event) {
    }
}
