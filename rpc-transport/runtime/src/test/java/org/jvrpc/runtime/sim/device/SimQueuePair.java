package org.jvrpc.runtime.sim.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/**
 * An RC QP of a simulated device. What is posted is carried out some time later, in order, and acknowledged later
 * still; both wait for the choices of the world. A place in the send queue is free again when a completion of it, or of
 * a later one, was polled.
 */
final class SimQueuePair implements QueuePair {

    private final SimDevice device;
    private final SimDomain domain;
    private final QueuePairAttributes attributes;
    private final World world;
    private final Network network;
    private final int number;
    private final Deque<SimSend.Posted> undelivered = new ArrayDeque<>();
    private final Deque<SimSend.Posted> unacknowledged = new ArrayDeque<>();
    private final Deque<SimReceive.Posted> receives = new ArrayDeque<>();
    private final SimQueue sendCq;
    private final SimQueue receiveCq;
    private QueuePairState state = QueuePairState.RESET;
    private SimQueuePair peer;
    /** Null where the network is no fabric. */
    private FabricWire wire;
    private boolean dead;
    private boolean closed;
    private boolean delivering;
    private boolean acknowledging;
    private long posted;
    private long pushed;
    private long retired;
    private long woken;

    SimQueuePair(SimDevice device, SimDomain domain, QueuePairAttributes attributes) {
        this.device = device;
        this.domain = domain;
        this.attributes = attributes;
        this.world = device.process().world();
        this.network = Network.of(world);
        this.number = network.newKey();
        this.sendCq = (SimQueue) attributes.sendCq();
        this.receiveCq = (SimQueue) attributes.receiveCq();
    }

    Network network() {
        return network;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public void init() {
        state = QueuePairState.INIT;
    }

    @Override
    public byte[] endpoint() {
        throw new VerbsException("endpoint", "simulated QPs are connected by listeners");
    }

    @Override
    public void connect(byte[] remoteEndpoint) {
        throw new VerbsException("modify_qp", "simulated QPs are connected by listeners");
    }

    /** Both sides are ready. */
    static void join(SimQueuePair one, SimQueuePair other) {
        one.peer = other;
        other.peer = one;
        one.state = QueuePairState.RTS;
        other.state = QueuePairState.RTS;
    }

    // ---- over a fabric

    void carriedBy(FabricWire newWire) {
        wire = newWire;
    }

    /** This side is ready. */
    void established() {
        if (state == QueuePairState.INIT) {
            state = QueuePairState.RTS;
        }
    }

    SimDevice device() {
        return device;
    }

    SimDomain domain() {
        return domain;
    }

    /** Returns the next send that was not sent yet, which is under way now, or null. */
    SimSend.Posted fetch() {
        SimSend.Posted send = undelivered.poll();
        if (send != null) {
            unacknowledged.add(send);
        }
        return send;
    }

    SimSend.Posted underWay(long sendNumber) {
        for (SimSend.Posted send : unacknowledged) {
            if (send.number == sendNumber) {
                return send;
            }
        }
        throw new Violation("no such send is under way: " + sendNumber);
    }

    boolean hasReceive() {
        return !receives.isEmpty();
    }

    /** A send has ended, which is the oldest. */
    void carried(long sendNumber, WcStatus status) {
        SimSend.Posted send = unacknowledged.peek();
        if (send == null || send.number != sendNumber) {
            throw new Violation("send " + sendNumber + " ended before others");
        }
        if (status != WcStatus.SUCCESS) {
            fail(send, status);
        } else {
            unacknowledged.poll();
            end(send);
        }
    }

    @Override
    public PostSend prepareSend(SendRequest... requests) {
        return new SimSend(this, requests);
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        return new SimReceive(this, requests);
    }

    private void trace(String what) {
        world.trace(device.process().name() + " qp " + number + " " + what);
    }

    // ---- posting

    private void mayPost() {
        world.happened();
        world.mayYield();
        if (state == QueuePairState.RESET || state == QueuePairState.INIT || closed) {
            throw new IllegalStateException("post_send to a QP in " + state + (closed ? ", closed" : ""));
        }
    }

    /** Delivers a message at once, behind all that was posted; false when that cannot be. */
    boolean push(long first, long second, long address, int length, int key) {
        mayPost();
        boolean isNext = wire == null && isAlive() && peer.isAlive() && undelivered.isEmpty();
        ByteBuffer body = isNext && network.takesPush() ? domain.reach(key, address, length, 0) : null;
        if (body == null) {
            return false;
        }
        pushed++;
        trace("pushes " + pushed + " bytes=" + (PostSend.HEADER_BYTES + length));
        ByteBuffer wire = ByteBuffer.allocate(PostSend.HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
        peer.receive(wire.putLong(first).putLong(second).put(body).flip(), posted + pushed);
        return true;
    }

    /** Returns false when there is no room. */
    boolean post(LongFunction<SimSend.Posted> make) {
        mayPost();
        if (posted - retired == attributes.maxSendWr() || network.isFull()) {
            trace("has no room for a send");
            return false;
        }
        SimSend.Posted send = make.apply(++posted);
        trace("posts " + send.opcode + " " + send.number + " bytes=" + send.bytes());
        if (state == QueuePairState.ERR) {
            flush(send);
        } else {
            undelivered.add(send);
            if (wire != null) {
                wire.posted();
            } else {
                deliverSoon(0);
            }
        }
        return true;
    }

    boolean post(SimReceive.Posted receive) {
        if (receives.size() == attributes.maxReceiveWr()) {
            return false;
        }
        receives.add(receive);
        if (state == QueuePairState.ERR) {
            flushReceives();
        }
        return true;
    }

    /** A completion was polled. */
    void retire(long upTo) {
        retired = Math.max(retired, upTo);
    }

    @Override
    public void wakePeer() {
        woken = posted + pushed;
        if (peer != null) {
            peer.receiveCq.fire();
        }
        world.mayYield();
    }

    // ---- what the network does

    private void deliverSoon(long leastNs) {
        if (!delivering) {
            delivering = true;
            network.later(leastNs, this::deliver);
        }
    }

    private void deliver() {
        delivering = false;
        SimSend.Posted send = undelivered.peek();
        if (state != QueuePairState.RTS || send == null || dead) {
            return;
        }
        if (peer.dead || peer.state != QueuePairState.RTS) {
            network.afterRetries(() -> fail(send, WcStatus.RETRY_EXC_ERR));
            return;
        }
        if (send.opcode == SendRequest.Opcode.SEND && network.isNotReady()) {
            deliverSoon(attributes.minRnrTimerNs());
            return;
        }
        WcStatus status = carryOut(send);
        if (status != WcStatus.SUCCESS) {
            fail(send, status);
            return;
        }
        undelivered.remove();
        unacknowledged.add(send);
        acknowledgeSoon();
        if (!undelivered.isEmpty()) {
            deliverSoon(0);
        }
    }

    private WcStatus carryOut(SimSend.Posted send) {
        int bytes = send.bytes();
        ByteBuffer wire = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        switch (send.opcode) {
            case SEND:
                return send.copy(domain, wire, true, 0)
                        ? peer.receive(wire.flip(), send.number + pushed) : WcStatus.LOC_PROT_ERR;
            case RDMA_READ:
                ByteBuffer there = peer.domain.reach(send.rkey, send.remoteAddress, bytes, Access.REMOTE_READ);
                if (there == null) {
                    return WcStatus.REM_ACCESS_ERR;
                }
                send.brought = wire.put(there).flip();
                return WcStatus.SUCCESS;
            case RDMA_WRITE:
                return bytes == 0 ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR;
            default:
                return WcStatus.LOC_QP_OP_ERR;
        }
    }

    WcStatus receive(ByteBuffer message, long of) {
        int bytes = message.remaining();
        SimReceive.Posted receive = receives.poll();
        if (receive == null) {
            throw new Violation("a message found no receive: flow control let too many leave, to "
                    + device.process().name());
        }
        ByteBuffer here = bytes > receive.length() ? null
                : domain.reach(receive.key(), receive.address(), bytes, Access.LOCAL_WRITE);
        if (here == null) {
            throw new Violation("a message of bytes=" + bytes + " does not fit its receive: " + receive);
        }
        here.put(message);
        trace("receives " + of + " bytes=" + bytes + " first=" + Long.toHexString(message.getLong(0)));
        boolean quietly = wire == null && peer.attributes.lazyWake() && of > peer.woken && network.missesArming();
        receiveCq.add(new SimQueue.Entry(this, receive.wrId(), WcOpcode.RECV, WcStatus.SUCCESS, bytes, 0), quietly);
        return WcStatus.SUCCESS;
    }

    private void acknowledgeSoon() {
        if (!acknowledging) {
            acknowledging = true;
            network.later(0, this::acknowledge);
        }
    }

    /** One acknowledgement is for all that was delivered. */
    private void acknowledge() {
        acknowledging = false;
        if (state != QueuePairState.RTS || dead) {
            return;
        }
        for (SimSend.Posted send = unacknowledged.poll(); send != null; send = unacknowledged.poll()) {
            if (!end(send)) {
                return;
            }
        }
    }

    /** A send was acknowledged; false when it fails for all that. */
    private boolean end(SimSend.Posted send) {
        if (send.brought != null && !send.copy(domain, send.brought, false, Access.LOCAL_WRITE)) {
            unacknowledged.addFirst(send);
            fail(send, WcStatus.LOC_PROT_ERR);
            return false;
        }
        if (send.signalled) {
            sendCq.add(new SimQueue.Entry(this, send.wrId, opcode(send), WcStatus.SUCCESS, send.bytes(),
                    send.number), false);
        }
        return true;
    }

    private static WcOpcode opcode(SimSend.Posted send) {
        return switch (send.opcode) {
            case RDMA_READ -> WcOpcode.RDMA_READ;
            case RDMA_WRITE -> WcOpcode.RDMA_WRITE;
            default -> WcOpcode.SEND;
        };
    }

    // ---- the end

    /** One send fails by itself; what is behind it is flushed. */
    private void fail(SimSend.Posted send, WcStatus status) {
        if (state == QueuePairState.RTS && !dead) {
            unacknowledged.remove(send);
            undelivered.remove(send);
            sendCq.add(new SimQueue.Entry(this, send.wrId, null, status, 0, send.number), false);
            error();
        }
    }

    @Override
    public void error() {
        if (state == QueuePairState.ERR || dead) {
            return;
        }
        state = QueuePairState.ERR;
        trace("fails");
        if (wire != null) {
            wire.end();
        }
        unacknowledged.forEach(this::flush);
        undelivered.forEach(this::flush);
        unacknowledged.clear();
        undelivered.clear();
        flushReceives();
    }

    private void flush(SimSend.Posted send) {
        sendCq.add(new SimQueue.Entry(this, send.wrId, null, WcStatus.WR_FLUSH_ERR, 0, send.number), false);
    }

    private void flushReceives() {
        for (SimReceive.Posted receive = receives.poll(); receive != null; receive = receives.poll()) {
            receiveCq.add(new SimQueue.Entry(this, receive.wrId(), null, WcStatus.WR_FLUSH_ERR, 0, 0), false);
        }
    }

    boolean isAlive() {
        return state == QueuePairState.RTS && !dead;
    }

    /** The process is dead: nothing of this side happens any more. */
    void die() {
        dead = true;
        if (wire != null) {
            wire.end();
        }
        network.gone(this);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            dead = true;
            if (wire != null) {
                wire.end();
            }
            domain.gone(this);
        }
    }

    @Override
    public String toString() {
        return "QP in " + state;
    }
}
