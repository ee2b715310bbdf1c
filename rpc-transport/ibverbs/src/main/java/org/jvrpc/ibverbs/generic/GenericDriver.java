package org.jvrpc.ibverbs.generic;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.QpCap;
import org.jvrpc.ibverbs.binding.Layouts.QpInitAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaLimits;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** Drives any device by calls of libibverbs. Any thread. */
public final class GenericDriver implements Driver {

    private final RdmaContext context;
    private final GenericEvents events;
    private final Map<Long, GenericQueuePair> qps = new ConcurrentHashMap<>();
    private final Map<Long, GenericCompletionQueue> cqs = new ConcurrentHashMap<>();
    private final Set<GenericAddressHandle> handles = ConcurrentHashMap.newKeySet();
    private final AtomicInteger serials = new AtomicInteger();
    private final AtomicReference<GenericSharedReceiveQueue[]> srqs =
            new AtomicReference<>(new GenericSharedReceiveQueue[0]);
    private volatile boolean closed;

    /** Takes a device. */
    public GenericDriver(RdmaContext context) {
        this.context = context;
        this.events = new GenericEvents(this, context);
        context.onClose(this::shut);
    }

    /** Ends all that was made, before the device goes; each in the order that libibverbs wants. */
    private void shut() {
        closed = true;
        events.stop();
        qps.values().forEach(GenericQueuePair::close);
        handles.forEach(GenericAddressHandle::close);
        for (GenericSharedReceiveQueue srq : srqs.get()) {
            srq.close();
        }
        cqs.values().forEach(GenericCompletionQueue::close);
    }

    private void open(String operation) {
        if (closed) {
            throw new VerbsException(operation, "device is closed, name=" + context.name());
        }
    }

    boolean isRxe() {
        return context.isRxe();
    }

    boolean isClosed() {
        return closed;
    }

    GenericEvents events() {
        return events;
    }

    /** Returns the least power of two that is not less. */
    static int roundUp(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    @Override
    public String name() {
        return "generic";
    }

    RdmaContext context() {
        return context;
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        open("create_cq");
        if (attributes.crossChannel()) {
            throw new VerbsException("create_cq", "device " + context.name() + " has no cross-channel CQs");
        }
        if (attributes.channel() != null && !(attributes.channel() instanceof RdmaEventChannel)) {
            throw new VerbsException("create_cq", "event channel is of another device: " + attributes.channel());
        }
        if (attributes.depth() > context.limits().maxCqe()) {
            throw new VerbsException("create_cq", "device=" + context.name() + " depth=" + attributes.depth()
                    + " limit=" + context.limits().maxCqe());
        }
        GenericCompletionQueue cq = new GenericCompletionQueue(this, attributes).listen();
        cqs.put(cq.address(), cq);
        return cq;
    }

    @Override
    public RdmaQueuePair createQp(RdmaDomain domain, QueuePairAttributes attributes) {
        open("create_qp");
        check(attributes);
        GenericCompletionQueue sendCq = own(attributes.sendCq());
        GenericCompletionQueue receiveCq = own(attributes.receiveCq());
        sendCq.reserve();
        try {
            receiveCq.reserve();
            try {
                return create(domain, attributes, sendCq, receiveCq);
            } catch (RuntimeException e) {
                receiveCq.release();
                throw e;
            }
        } catch (RuntimeException e) {
            sendCq.release();
            throw e;
        }
    }

    private GenericCompletionQueue own(CompletionQueue cq) {
        if (cq instanceof GenericCompletionQueue own && own.driver() == this) {
            return own;
        }
        throw new VerbsException("create_qp", "completion queue is of another device than " + context.name());
    }

    private void check(QueuePairAttributes attributes) {
        RdmaLimits limits = context.limits();
        boolean shared = attributes.sharedReceive() != null;
        if (Math.max(attributes.maxSendWr(), shared ? 0 : attributes.maxReceiveWr()) > limits.maxQpWr()
                || Math.max(attributes.maxSendSge(), shared ? 0 : attributes.maxReceiveSge()) > limits.maxSge()) {
            throw refused(attributes);
        }
        if (shared && !(attributes.sharedReceive() instanceof GenericSharedReceiveQueue srq
                && srq.driver() == this)) {
            throw new VerbsException("create_qp", "shared receive queue is of another device than " + context.name());
        }
    }

    private VerbsException refused(QueuePairAttributes attributes) {
        return new VerbsException("create_qp", past(attributes));
    }

    private String past(QueuePairAttributes attributes) {
        RdmaLimits limits = context.limits();
        return "device=" + context.name() + " maxSendWr=" + attributes.maxSendWr() + " maxReceiveWr="
                + attributes.maxReceiveWr() + " limit=" + limits.maxQpWr() + "; maxSendSge=" + attributes.maxSendSge()
                + " maxReceiveSge=" + attributes.maxReceiveSge() + " limit=" + limits.maxSge() + "; maxInline="
                + attributes.maxInline() + "; QPs limit=" + limits.maxQp();
    }

    private GenericQueuePair create(RdmaDomain domain, QueuePairAttributes attributes,
            GenericCompletionQueue sendCq, GenericCompletionQueue receiveCq) {
        GenericSharedReceiveQueue srq = (GenericSharedReceiveQueue) attributes.sharedReceive();
        domain.adopt();
        try {
            if (srq != null) {
                srq.attach();
            }
            try {
                GenericQueuePair qp = make(domain, attributes, sendCq, receiveCq, srq);
                sendCq.attach(qp);
                receiveCq.attach(qp);
                return qp;
            } catch (RuntimeException e) {
                if (srq != null) {
                    srq.detach();
                }
                throw e;
            }
        } catch (RuntimeException e) {
            domain.abandon();
            throw e;
        }
    }

    private GenericQueuePair make(RdmaDomain domain, QueuePairAttributes attributes,
            GenericCompletionQueue sendCq, GenericCompletionQueue receiveCq, GenericSharedReceiveQueue srq) {
        int sendDepth = depth(attributes.maxSendWr());
        int receiveDepth = depth(attributes.maxReceiveWr());
        Native init = Native.allocate(QpInitAttr.BYTES)
                .putLong(QpInitAttr.SEND_CQ, sendCq.address())
                .putLong(QpInitAttr.RECV_CQ, receiveCq.address())
                .putLong(QpInitAttr.SRQ, srq == null ? 0 : srq.address())
                .putInt(QpInitAttr.CAP + QpCap.MAX_SEND_WR, sendDepth)
                .putInt(QpInitAttr.CAP + QpCap.MAX_SEND_SGE, attributes.maxSendSge())
                .putInt(QpInitAttr.CAP + QpCap.MAX_RECV_WR, srq == null ? receiveDepth : 0)
                .putInt(QpInitAttr.CAP + QpCap.MAX_RECV_SGE, srq == null ? attributes.maxReceiveSge() : 0)
                .putInt(QpInitAttr.CAP + QpCap.MAX_INLINE_DATA, attributes.maxInline())
                .putInt(QpInitAttr.QP_TYPE, attributes.isDatagram() ? Ibv.QPT_UD : Ibv.QPT_RC);
        long qp = context.lib().ibv_create_qp(domain.address(), init.address());
        Reference.reachabilityFence(init);
        if (qp == 0) {
            throw NativeException.last("create_qp", past(attributes));
        }
        GenericQueuePair made = new GenericQueuePair(
                this, domain, qp, serials.getAndIncrement(), attributes, sendDepth, receiveDepth);
        qps.put(qp, made);
        return made;
    }

    /** Rounds up as far as the device goes along. */
    private int depth(int wanted) {
        int round = roundUp(wanted);
        return round > context.limits().maxQpWr() ? wanted : round;
    }

    @Override
    public SharedReceiveQueue createSrq(RdmaDomain domain, SharedReceiveQueueAttributes attributes) {
        open("create_srq");
        RdmaLimits limits = context.limits();
        if (attributes.maxWr() > limits.maxSrqWr() || attributes.maxSge() > limits.maxSrqSge()) {
            throw new VerbsException("create_srq", "device=" + context.name() + " maxWr=" + attributes.maxWr()
                    + " limit=" + limits.maxSrqWr() + " maxSge=" + attributes.maxSge() + " limit="
                    + limits.maxSrqSge());
        }
        domain.adopt();
        try {
            GenericSharedReceiveQueue srq = new GenericSharedReceiveQueue(
                    this, domain, attributes, serials.getAndIncrement());
            srqs.updateAndGet(old -> {
                GenericSharedReceiveQueue[] fresh = Arrays.copyOf(old, old.length + 1);
                fresh[old.length] = srq;
                return fresh;
            });
            return srq;
        } catch (RuntimeException e) {
            domain.abandon();
            throw e;
        }
    }

    /** Returns the SRQ with a serial number, or null. */
    GenericSharedReceiveQueue srq(int serial) {
        for (GenericSharedReceiveQueue srq : srqs.get()) {
            if (srq.serial() == serial) {
                return srq;
            }
        }
        return null;
    }

    void forget(GenericSharedReceiveQueue srq) {
        srqs.updateAndGet(old -> Arrays.stream(old).filter(other -> other != srq)
                .toArray(GenericSharedReceiveQueue[]::new));
    }

    @Override
    public AddressHandle createAh(
            RdmaDomain domain, RdmaEndpoint remote, int flowLabel, ServiceClass service) {
        open("create_ah");
        GenericAddressHandle handle = new GenericAddressHandle(this, domain, remote, flowLabel, service);
        handles.add(handle);
        return handle;
    }

    void forget(GenericQueuePair qp) {
        qps.remove(qp.address(), qp);
    }

    void forget(GenericCompletionQueue cq) {
        cqs.remove(cq.address(), cq);
    }

    void forget(GenericAddressHandle handle) {
        handles.remove(handle);
    }

    /** @param address of the {@code struct ibv_cq} that overran */
    void cqFailed(long address) {
        GenericCompletionQueue cq = cqs.get(address);
        if (cq != null) {
            cq.overran();
        }
    }

    /** @param address of the {@code struct ibv_qp} that is in ERR */
    void qpFailed(long address) {
        GenericQueuePair qp = qps.get(address);
        if (qp != null) {
            qp.fail();
        }
    }

    /** The device is gone. */
    void deviceFailed() {
        qps.values().forEach(GenericQueuePair::lose);
    }
}
