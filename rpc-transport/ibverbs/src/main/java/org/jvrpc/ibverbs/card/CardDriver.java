package org.jvrpc.ibverbs.card;

import java.lang.ref.Reference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.DeviceAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpCap;
import org.jvrpc.ibverbs.binding.Layouts.QpInitAttr;
import org.jvrpc.ibverbs.binding.Layouts.SrqInitAttr;
import org.jvrpc.ibverbs.binding.LibMlx5;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaLimits;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.mlx5.Mlx5AddressHandle;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Mlx5SharedReceiveQueue;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/**
 * Drives an mlx5 card. Any thread.
 *
 * <p>Chosen by itself on x86-64 only: on arm64 Java has no barrier that a device is known to observe, see
 * {@link BlueFlame}; there it is for who asks for it.
 */
public final class CardDriver implements Driver {

    /** Takes {@code false}: doorbells carry no WQEs. */
    private static final String BLUE_FLAME_PROPERTY = "jvrpc.mlx5.blueflame";
    /** Off says that the card's firmware was told not to check the index and the QP number of WQEs. */
    private static final String CHECKS_PROPERTY = "jvrpc.mlx5.wqe-checks";
    /** How many QPs are made in search of a number that no destroyed QP had, of which completions are left. */
    private static final int NUMBERS = 16;
    /** The most blocks of a send queue. */
    private static final int MAX_BLOCKS = 1 << 15;
    /** How many blocks libmlx5 gives the smallest request of an RC QP. Source: sq_overhead. */
    private static final int LEAST_BLOCKS = 4;
    /** How many polls of a CQ that find nothing pass until the device's own events are looked at, by a system call. */
    private static final int EVENTS_EVERY = 1 << 14;

    private final RdmaContext context;
    private final DirectVerbs direct;
    private final boolean atomics;
    private final boolean copies;
    private final int eventsEvery;
    private final CardEvents events;
    private final DeferredDestroys deferredDestroys = new DeferredDestroys();
    private final ChainQueues chains;
    private final Map<Long, BlueFlame> registers = new ConcurrentHashMap<>();
    private final Map<CompletionQueue, CardCompletions> cqs = new ConcurrentHashMap<>();
    private final Map<SharedReceiveQueue, Srq> srqs = new ConcurrentHashMap<>();
    private final Map<CardControl, CardQueuePair> qps = new ConcurrentHashMap<>();
    private final Set<RdmaEventChannel> watched = ConcurrentHashMap.newKeySet();

    /** An SRQ: its {@code struct ibv_srq}, and what ends it once, inside {@code whileOpen}. */
    private record Srq(long address, Runnable end) {
    }

    /**
     * Takes a card.
     *
     * @throws VerbsException when the environment asks for WQE signatures, which change the formats
     */
    public CardDriver(RdmaContext context, LibMlx5 lib) {
        this(context, lib, context.commands(), EVENTS_EVERY);
    }

    CardDriver(RdmaContext context, LibMlx5 lib, CommandFile commands, int eventsEvery) {
        for (String name : new String[] {"MLX5_QP_SIGNATURE", "MLX5_SRQ_SIGNATURE"}) {
            if (System.getenv(name) != null) {
                throw new VerbsException("open_device", "the mlx5 driver writes no WQE signatures: unset " + name
                        + ", or use driver=generic");
            }
        }
        this.context = context;
        this.eventsEvery = eventsEvery;
        this.direct = new DirectVerbs(lib);
        Native attr = Native.allocate(DeviceAttr.BYTES);
        this.atomics = context.lib().ibv_query_device(context.address(), attr.address()) == 0
                && attr.getInt(DeviceAttr.ATOMIC_CAP) != 0;
        String shutUp = System.getenv("MLX5_SHUT_UP_BF");
        this.copies = !"false".equals(System.getProperty(BLUE_FLAME_PROPERTY))
                && (shutUp == null || shutUp.equals("0"));
        this.events = new CardEvents(this, context);
        this.chains = new ChainQueues(context, direct, commands);
        context.onClose(this::closeAll);
    }

    @Override
    public String name() {
        return "mlx5";
    }

    RdmaContext context() {
        return context;
    }

    int eventsEvery() {
        return eventsEvery;
    }

    CardEvents events() {
        return events;
    }

    DeferredDestroys deferredDestroys() {
        return deferredDestroys;
    }

    boolean hasAtomics() {
        return atomics;
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        if (attributes.channel() != null && !(attributes.channel() instanceof RdmaEventChannel)) {
            throw new VerbsException("create_cq", "event channel is of another device: " + attributes.channel());
        }
        // Of a CQ whose payload is read in place, the entry polled last stays in use until the next poll.
        int depth = Mlx5QueuePair.roundUp(attributes.depth() + (attributes.payloadInPlace() ? 1 : 0));
        if (depth > context.limits().maxCqe()) {
            throw new VerbsException("create_cq", "device=" + context.name() + " depth=" + depth + " limit="
                    + context.limits().maxCqe());
        }
        RdmaEventChannel channel = (RdmaEventChannel) attributes.channel();
        long address = channel == null ? 0 : channel.address();
        long cq = attributes.cqeBytes() == 64 && !attributes.crossChannel()
                ? context.lib().ibv_create_cq(context.address(), depth, 0, address, 0)
                : direct.createCq(context.address(), depth, address, attributes.cqeBytes(), attributes.crossChannel());
        if (cq == 0) {
            throw NativeException.last("create_cq", "device=" + context.name() + " depth=" + depth + " cqeBytes="
                    + attributes.cqeBytes());
        }
        try {
            CardCompletions made = new CardCompletions(this, cq, direct.cq(cq), attributes).listen();
            cqs.put(made.queue(), made);
            if (channel != null && watched.add(channel)) {
                channel.add(events);
            }
            return made.queue();
        } catch (RuntimeException e) {
            context.lib().ibv_destroy_cq(cq);
            throw e;
        }
    }

    private CardCompletions own(CompletionQueue cq) {
        CardCompletions own = cqs.get(cq);
        if (own == null) {
            throw new VerbsException("create_qp", "completion queue is closed, or of another device than "
                    + context.name() + ", number=" + cq.number());
        }
        return own;
    }

    @Override
    public RdmaQueuePair createQp(RdmaDomain domain, QueuePairAttributes attributes) {
        check(attributes);
        CardCompletions sends = own(attributes.sendCq());
        CardCompletions receives = own(attributes.receiveCq());
        Mlx5SharedReceiveQueue shared = (Mlx5SharedReceiveQueue) attributes.sharedReceive();
        domain.adopt();
        try {
            if (shared != null) {
                shared.attach();
            }
            try {
                return attributes.isCrossChannel() ? chained(domain, attributes, sends, receives)
                        : plain(domain, attributes, sends, receives);
            } catch (RuntimeException e) {
                if (shared != null) {
                    shared.detach();
                }
                throw e;
            }
        } catch (RuntimeException e) {
            domain.abandon();
            throw e;
        }
    }

    private void check(QueuePairAttributes attributes) {
        RdmaLimits limits = context.limits();
        SharedReceiveQueue srq = attributes.sharedReceive();
        Mlx5QueuePair.sendBlocks(attributes);
        if (srq != null && !srqs.containsKey(srq)) {
            throw new VerbsException("create_qp", "shared receive queue is closed, or of another device than "
                    + context.name() + ", number=" + srq.number());
        }
        if (Math.max(attributes.maxSendWr(), srq != null ? 0 : attributes.maxReceiveWr()) > limits.maxQpWr()
                || Math.max(attributes.maxSendSge(), srq != null ? 0 : attributes.maxReceiveSge()) > limits.maxSge()) {
            throw new VerbsException("create_qp", wanted(attributes));
        }
    }

    private String wanted(QueuePairAttributes attributes) {
        RdmaLimits limits = context.limits();
        return "device=" + context.name() + " maxSendWr=" + attributes.maxSendWr() + " maxReceiveWr="
                + attributes.maxReceiveWr() + " limit=" + limits.maxQpWr() + "; maxSendSge=" + attributes.maxSendSge()
                + " maxReceiveSge=" + attributes.maxReceiveSge() + " limit=" + limits.maxSge() + "; maxInline="
                + attributes.maxInline() + "; QPs limit=" + limits.maxQp();
    }

    private CardQueuePair plain(
            RdmaDomain domain, QueuePairAttributes attributes, CardCompletions sends, CardCompletions receives) {
        CardHandle handle = number(domain, attributes, sends, receives);
        try {
            DirectVerbs.QpRings rings = direct.qp(handle.address(), attributes.sharedReceive() == null);
            int blocks = Mlx5QueuePair.sendBlocks(attributes);
            if (rings.sends().entries() < blocks) {
                throw new VerbsException("create_qp", "the send queue that libmlx5 made is too small: blocks="
                        + rings.sends().entries() + " needed=" + blocks + "; " + wanted(attributes));
            }
            handle.record(rings.sends().records());
            CardControl control = new CardControl(this, domain, handle, new QpStates(context, handle, attributes),
                    sends, receives, rings.sends().memory(), handle.address());
            CardDoorbell doorbell =
                    new CardDoorbell(register(rings.register(), rings.registerBytes()), rings.sends(), copies);
            return attach(control,
                    new CardQueuePair(control, rings.sends(), rings.receives(), doorbell, domain.keys()));
        } catch (RuntimeException e) {
            handle.destroy();
            throw e;
        }
    }

    private CardQueuePair chained(
            RdmaDomain domain, QueuePairAttributes attributes, CardCompletions sends, CardCompletions receives) {
        if (attributes.sharedReceive() != null || attributes.isDatagram()) {
            throw new VerbsException("create_qp",
                    "a cross-channel QP is of the RC service and has receives of its own");
        }
        if (!attributes.isChecked() && !"off".equals(System.getProperty(CHECKS_PROPERTY))) {
            throw new VerbsException("create_qp", "device " + context.name() + " checks the index and the QP number of"
                    + " WQEs, which no driver can change for one QP; where its firmware was told not to, -D"
                    + CHECKS_PROPERTY + "=off says so");
        }
        ChainQueues.Made made = chains.create(domain.handle(), attributes, sends.handle(), receives.handle());
        try {
            CardControl control = new CardControl(this, domain, made.handle(),
                    new QpStates(context, made.handle(), attributes), sends, receives, made.sends().memory(), 0);
            BlueFlame register = register(made.register(), 0);
            return attach(control, new CardQueuePair(control, made.sends(), made.receives(), attributes.isManagedSend()
                    ? ChainQueues.SILENT : new CardDoorbell(register, made.sends(), false), domain.keys()));
        } catch (RuntimeException e) {
            made.handle().destroy();
            throw e;
        }
    }

    private BlueFlame register(long address, int bytes) {
        return registers.computeIfAbsent(
                address, at -> new BlueFlame(Native.view(at, Math.max(8, 2 * bytes)), bytes));
    }

    private CardQueuePair attach(CardControl control, CardQueuePair qp) {
        CardCompletions sends = own(qp.states().attributes().sendCq());
        CardCompletions receives = own(qp.states().attributes().receiveCq());
        sends.queue().attach(qp);
        try {
            receives.queue().attach(qp);
        } catch (RuntimeException e) {
            sends.queue().withdraw(qp);
            throw e;
        }
        qps.put(control, qp);
        return qp;
    }

    /** Makes a QP whose number no destroyed QP has of which completions may be left in the CQs. */
    private CardHandle number(
            RdmaDomain domain, QueuePairAttributes attributes, CardCompletions sends, CardCompletions receives) {
        CardHandle[] made = new CardHandle[NUMBERS];
        int count = 0;
        try {
            while (count < NUMBERS) {
                CardHandle handle = create(domain, attributes, sends, receives);
                if (!sends.queue().isBuried(handle.number()) && !receives.queue().isBuried(handle.number())) {
                    return handle;
                }
                made[count++] = handle; // kept, so that the next gets another number
            }
        } finally {
            for (int i = 0; i < count; i++) {
                made[i].destroy();
            }
        }
        throw new VerbsException("create_qp", "the last " + NUMBERS + " numbers are those of closed QPs, of which"
                + " completions are left in the CQs: poll them first");
    }

    private CardHandle create(
            RdmaDomain domain, QueuePairAttributes attributes, CardCompletions sends, CardCompletions receives) {
        SharedReceiveQueue srq = attributes.sharedReceive();
        int blocks = Mlx5QueuePair.sendBlocks(attributes);
        // libmlx5 reckons with wider requests than this driver's: a large queue is asked for by its blocks alone.
        boolean wide = blocks * LEAST_BLOCKS > MAX_BLOCKS;
        Native init = Native.allocate(QpInitAttr.BYTES)
                .putLong(QpInitAttr.SEND_CQ, sends.address())
                .putLong(QpInitAttr.RECV_CQ, receives.address())
                .putLong(QpInitAttr.SRQ, srq == null ? 0 : srqs.get(srq).address)
                .putInt(QpInitAttr.CAP + QpCap.MAX_SEND_WR, wide ? blocks / LEAST_BLOCKS : attributes.maxSendWr())
                .putInt(QpInitAttr.CAP + QpCap.MAX_SEND_SGE, wide ? 1 : attributes.maxSendSge())
                .putInt(QpInitAttr.CAP + QpCap.MAX_RECV_WR, srq == null ? attributes.maxReceiveWr() : 0)
                .putInt(QpInitAttr.CAP + QpCap.MAX_RECV_SGE, srq == null ? attributes.maxReceiveSge() : 0)
                .putInt(QpInitAttr.CAP + QpCap.MAX_INLINE_DATA, wide ? 0 : attributes.maxInline())
                .putInt(QpInitAttr.QP_TYPE, attributes.isDatagram() ? Ibv.QPT_UD : Ibv.QPT_RC);
        long qp = context.lib().ibv_create_qp(domain.address(), init.address());
        Reference.reachabilityFence(init);
        if (qp == 0) {
            throw NativeException.last("create_qp", wanted(attributes));
        }
        return new CardHandle(context, qp);
    }

    @Override
    public SharedReceiveQueue createSrq(RdmaDomain domain, SharedReceiveQueueAttributes attributes) {
        RdmaLimits limits = context.limits();
        String wanted = "device=" + context.name() + " maxWr=" + attributes.maxWr() + " limit=" + limits.maxSrqWr()
                + " maxSge=" + attributes.maxSge() + " limit=" + limits.maxSrqSge();
        if (attributes.maxWr() > limits.maxSrqWr() || attributes.maxSge() > limits.maxSrqSge()) {
            throw new VerbsException("create_srq", wanted);
        }
        domain.adopt();
        Native init = Native.allocate(SrqInitAttr.BYTES)
                .putInt(SrqInitAttr.MAX_WR, attributes.maxWr())
                .putInt(SrqInitAttr.MAX_SGE, attributes.maxSge());
        long srq = context.lib().ibv_create_srq(domain.address(), init.address());
        Reference.reachabilityFence(init);
        if (srq == 0) {
            domain.abandon();
            throw NativeException.last("create_srq", wanted);
        }
        try {
            DirectVerbs.SrqRing ring = direct.srq(srq);
            Mlx5SharedReceiveQueue[] made = new Mlx5SharedReceiveQueue[1];
            Srq entry = new Srq(srq, () -> end(made[0], domain));
            made[0] = new Mlx5SharedReceiveQueue(ring.number(), attributes, ring.queue(),
                    () -> context.whileOpen(entry.end), domain.keys());
            srqs.put(made[0], entry);
            return made[0];
        } catch (RuntimeException e) {
            context.lib().ibv_destroy_srq(srq);
            domain.abandon();
            throw e;
        }
    }

    private void end(SharedReceiveQueue queue, RdmaDomain domain) {
        Srq srq = srqs.remove(queue);
        if (srq != null) {
            deferredDestroys.add(new DeferredDestroys.Entry(domain, null, null,
                    () -> context.whileOpen(() -> context.lib().ibv_destroy_srq(srq.address))));
            domain.abandon();
        }
    }

    @Override
    public AddressHandle createAh(
            RdmaDomain domain, RdmaEndpoint remote, int flowLabel, ServiceClass service) {
        domain.adopt();
        Native attr = Native.allocate(AhAttr.BYTES);
        QpChange.address(attr, 0, context.port(), remote, flowLabel, service);
        long ah = context.lib().ibv_create_ah(domain.address(), attr.address());
        Reference.reachabilityFence(attr);
        if (ah == 0) {
            domain.abandon();
            throw NativeException.last("create_ah", "device=" + context.name() + " gid=" + remote.gid());
        }
        return new Mlx5AddressHandle(direct.vector(ah), () -> {
            context.whileOpen(() -> context.lib().ibv_destroy_ah(ah));
            domain.abandon();
        });
    }

    @Override
    public void closing(RdmaDomain domain) {
        deferredDestroys.destroyOf(domain);
    }

    void closed(CardControl control) {
        qps.remove(control);
    }

    /** Returns false for a CQ that was forgotten before. */
    boolean forget(CardCompletions cq) {
        return cqs.remove(cq.queue(), cq);
    }

    /** The CQ at an address overran; true when it is there. */
    boolean cqFailed(long address) {
        for (CardCompletions cq : cqs.values()) {
            if (cq.address() == address) {
                cq.overran();
                return true;
            }
        }
        return false;
    }

    /** The QP at an address failed without a completion; true when it is there. */
    boolean qpFailed(long address) {
        for (CardQueuePair qp : qps.values()) {
            if (qp.isAt(address)) {
                qp.states().failed();
                return true;
            }
        }
        return false;
    }

    /** Moves the QPs of a CQ to ERR. */
    void failAll(CardCompletions cq) {
        qps.forEach((control, qp) -> {
            if (control.reportsTo(cq)) {
                qp.error();
            }
        });
    }

    private void closeAll() {
        events.stop();
        qps.values().forEach(CardQueuePair::close);
        srqs.keySet().forEach(SharedReceiveQueue::close);
        cqs.keySet().forEach(CompletionQueue::close);
        // Of those that their users were about to close:
        srqs.values().forEach(srq -> srq.end.run());
        cqs.values().forEach(CardCompletions::end);
        deferredDestroys.destroyAll();
        chains.close();
    }
}
