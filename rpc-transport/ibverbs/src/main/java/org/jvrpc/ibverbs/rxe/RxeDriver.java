package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** The user driver of one opened rxe device. Any thread. */
public final class RxeDriver implements Driver {

    private final RdmaContext context;
    private final RxeCommands commands;
    private final RxeEvents events;
    private final AtomicInteger made = new AtomicInteger();
    private final Map<Long, RxeCompletionQueue> cqs = new ConcurrentHashMap<>();
    private final Map<Long, RxeQueuePair> qps = new ConcurrentHashMap<>();
    private final Map<Integer, RxeSharedReceiveQueue> srqs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @throws VerbsException on a machine whose byte order is not that of rxe's formats here */
    public RxeDriver(RdmaContext context) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new VerbsException("open_device", "the user driver of rxe is for little-endian machines; use"
                    + " driver=generic");
        }
        this.context = context;
        this.commands = new RxeCommands(context.commands(), context.name());
        this.events = new RxeEvents(this, context);
        context.onClose(this::shut);
    }

    @Override
    public String name() {
        return "rxe";
    }

    RxeCommands commands() {
        return commands;
    }

    RxeEvents events() {
        return events;
    }

    CommandFile file() {
        return context.commands();
    }

    int maxDatagramBytes() {
        return context.port().mtuBytes();
    }

    boolean isClosed() {
        return closed;
    }

    ByteBuffer map(RxeCommands.Ring ring, String operation) {
        return Mapping.map(context.commandFd(), ring.offset(), ring.bytes(), operation);
    }

    private void open(String operation) {
        if (closed) {
            throw new VerbsException(operation, "device is closed, name=" + context.name());
        }
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        open("create_cq");
        if (attributes.crossChannel()) {
            throw new VerbsException("create_cq", "device " + context.name() + " has no cross-channel queues");
        }
        if (attributes.channel() != null && !(attributes.channel() instanceof RdmaEventChannel)) {
            throw new VerbsException("create_cq", "event channel is of another device");
        }
        int depth = RxeQueuePair.roundUp(attributes.depth());
        if (RxeCompletionQueue.ringDepth(depth) > context.limits().maxCqe()) {
            throw new VerbsException("create_cq", "depth=" + attributes.depth() + " limit="
                    + Integer.highestOneBit(context.limits().maxCqe()) + " device=" + context.name());
        }
        RdmaEventChannel channel = (RdmaEventChannel) attributes.channel();
        long userHandle = made.incrementAndGet();
        RxeCommands.Cq cq = commands.createCq(RxeCompletionQueue.ringDepth(depth), userHandle,
                channel == null ? -1 : channel.completionFd());
        try {
            RxeCompletionQueue queue = new RxeCompletionQueue(this, attributes, depth, userHandle, cq);
            cqs.put(userHandle, queue);
            return queue;
        } catch (RuntimeException e) {
            destroy(UverbsLayouts.DESTROY_CQ, cq.handle());
            throw e;
        }
    }

    void destroyed(RxeCompletionQueue cq) {
        cqs.remove(cq.userHandle());
        destroy(UverbsLayouts.DESTROY_CQ, cq.handle());
    }

    void destroy(int command, int handle) {
        if (!closed) {
            commands.destroy(command, handle);
        }
    }

    private RxeCompletionQueue own(CompletionQueue cq) {
        if (cq instanceof RxeCompletionQueue own && own.isOf(this)) {
            return own;
        }
        throw new VerbsException("create_qp", "completion queue is of another device, number=" + cq.number());
    }

    private RxeSharedReceiveQueue own(SharedReceiveQueue srq) {
        if (srq == null || srq instanceof RxeSharedReceiveQueue own && own.isOf(this)) {
            return (RxeSharedReceiveQueue) srq;
        }
        throw new VerbsException("create_qp", "shared receive queue is of another device, number=" + srq.number());
    }

    @Override
    public RdmaQueuePair createQp(RdmaDomain domain, QueuePairAttributes attributes) {
        open("create_qp");
        RxeCompletionQueue sendCq = own(attributes.sendCq());
        RxeCompletionQueue receiveCq = own(attributes.receiveCq());
        RxeSharedReceiveQueue srq = own(attributes.sharedReceive());
        Undo undo = new Undo();
        try {
            domain.adopt();
            undo.add(domain::abandon);
            sendCq.reserve();
            undo.add(sendCq::release);
            receiveCq.reserve();
            undo.add(receiveCq::release);
            if (srq != null) {
                srq.attach();
                undo.add(srq::detach);
            }
            RxeQueuePair qp = create(domain, attributes, undo);
            sendCq.attach(qp);
            receiveCq.attach(qp);
            qps.put((long) qp.id(), qp);
            return qp;
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    private RxeQueuePair create(RdmaDomain domain, QueuePairAttributes attributes, Undo undo) {
        RxeSharedReceiveQueue srq = (RxeSharedReceiveQueue) attributes.sharedReceive();
        int id = RxeTag.id(made.incrementAndGet());
        RxeCommands.Qp qp = commands.createQp(domain.handle(), own(attributes.sendCq()).handle(),
                own(attributes.receiveCq()).handle(), srq == null ? null : srq.handle(), attributes, id);
        RxeQpHandle handle = new RxeQpHandle(commands, qp.handle(), qp.number());
        undo.add(handle::destroy);
        RxeSendQueue sends = new RxeSendQueue(new RxeQueue(map(qp.sends(), "create_qp")), id,
                attributes.maxSendWr(), doorbell(qp.handle()));
        RxeReceiveQueue receives = srq != null ? null : new RxeReceiveQueue(
                new RxeQueue(map(qp.receives(), "create_qp")), id, attributes.maxReceiveWr());
        return new RxeQueuePair(
                this, domain, attributes, id, new QpStates(context, handle, attributes), sends, receives);
    }

    private RxeDoorbell doorbell(int qp) {
        UverbsCommand command = commands.doorbell(qp);
        CommandFile file = context.commands();
        return () -> command.write(file);
    }

    /** Takes a QP that is about to be destroyed out; false when it was before. */
    boolean forget(RxeQueuePair qp) {
        return qps.remove((long) qp.id(), qp);
    }

    boolean forget(RxeSharedReceiveQueue srq) {
        return srqs.remove(srq.id(), srq);
    }

    /** Takes a receive back that a QP took which is closed. */
    void giveBack(int srq, int slot) {
        RxeSharedReceiveQueue queue = srqs.get(srq);
        if (queue != null) {
            queue.complete(slot);
        }
    }

    @Override
    public SharedReceiveQueue createSrq(RdmaDomain domain, SharedReceiveQueueAttributes attributes) {
        open("create_srq");
        domain.adopt();
        int id = RxeTag.id(made.incrementAndGet());
        RxeCommands.Srq srq = null;
        try {
            srq = commands.createSrq(domain.handle(), attributes, id);
            RxeSharedReceiveQueue queue = new RxeSharedReceiveQueue(this, domain, attributes, id, srq);
            srqs.put(id, queue);
            return queue;
        } catch (RuntimeException e) {
            if (srq != null) {
                destroy(UverbsLayouts.DESTROY_SRQ, srq.handle());
            }
            domain.abandon();
            throw e;
        }
    }

    @Override
    public AddressHandle createAh(
            RdmaDomain domain, RdmaEndpoint remote, int flowLabel, ServiceClass service) {
        open("create_ah");
        Native attr = Native.allocate(AhAttr.BYTES);
        QpChange.address(attr, 0, context.port(), remote, flowLabel, service);
        domain.adopt();
        try {
            return new RxeAddressHandle(this, domain, commands.createAh(
                    domain.handle(), attr.getBytes(0, AhAttr.BYTES), "gid=" + remote.gid()));
        } catch (RuntimeException e) {
            domain.abandon();
            throw e;
        }
    }

    void cqFailed(long userHandle) {
        RxeCompletionQueue cq = cqs.get(userHandle);
        if (cq != null) {
            cq.overran();
        }
    }

    void qpFailed(long userHandle) {
        RxeQueuePair qp = qps.get(userHandle);
        if (qp != null) {
            qp.failed();
        }
    }

    void deviceFailed() {
        qps.values().forEach(RxeQueuePair::fail);
    }

    /** Ends everything now: the kernel would only do so when the last ring is not mapped any more. */
    private void shut() {
        closed = true;
        events.stop();
        qps.values().forEach(RxeQueuePair::shut);
        srqs.values().forEach(RxeSharedReceiveQueue::shut);
        qps.values().forEach(qp -> qp.states().destroy());
        srqs.values().forEach(srq -> commands.destroy(UverbsLayouts.DESTROY_SRQ, srq.handle()));
        cqs.values().forEach(cq -> commands.destroy(UverbsLayouts.DESTROY_CQ, cq.handle()));
    }
}
