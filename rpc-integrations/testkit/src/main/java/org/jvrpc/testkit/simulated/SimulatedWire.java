package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.EndpointMemory;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/** An end of a connection: a QP that sends and receives messages. It does nothing on the QP's own turn. One thread. */
final class SimulatedWire implements Application, EndpointMemory {

    private final SimulatedNetwork network;
    private final RcEndpoint endpoint;
    private final Consumer<ByteBuffer> messages;
    private final Runnable lost;
    private final Deque<ByteBuffer> posted = new ArrayDeque<>();
    private final Map<Long, ByteBuffer> underWay = new HashMap<>();
    private ByteBuffer arriving = ByteBuffer.allocate(1024);
    private long number;

    /**
     * Makes it.
     *
     * @param messages takes what arrives
     * @param lost told once when the peer does not answer any more
     */
    SimulatedWire(SimulatedNetwork network, SimulatedHost host, Consumer<ByteBuffer> messages, Runnable lost) {
        this.network = network;
        this.messages = messages;
        this.lost = lost;
        this.endpoint = network.nic(host).endpoint(network.settings(), this, this);
    }

    static void connect(SimulatedWire a, SimulatedWire b) {
        RcEndpoint.connect(a.endpoint, b.endpoint);
    }

    void send(ByteBuffer message) {
        posted.add(message);
        endpoint.posted();
    }

    void end() {
        if (!endpoint.hasFailed()) {
            endpoint.fail();
        }
    }

    @Override
    public boolean fetch(SendWork work) {
        ByteBuffer message = posted.poll();
        if (message == null) {
            return false;
        }
        underWay.put(++number, message);
        work.set(SendWork.Operation.SEND, message.capacity(), number).flags(false, false).remote(0, 0).operands(0, 0);
        return true;
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        packet.put(at, underWay.get(work.cookie()), (int) from, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        underWay.remove(work.cookie());
        if (status != WcStatus.SUCCESS) {
            network.later(0, lost);
        }
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length) {
        if (from + length > arriving.capacity()) {
            arriving = ByteBuffer.allocate((int) (2 * (from + length))).put(0, arriving, 0, (int) from);
        }
        arriving.put((int) from, packet, at, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public void arrived(Arrival kind, long length, int word, long nowNs) {
        ByteBuffer message = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        message.put(0, arriving, 0, (int) length);
        network.later(0, () -> messages.accept(message));
    }

    // ---- nothing but messages is sent

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        return WcStatus.LOC_QP_OP_ERR;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        return WcStatus.LOC_QP_OP_ERR;
    }

    @Override
    public boolean allows(int rkey, long address, long length, int access) {
        return false;
    }

    @Override
    public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
        return false;
    }

    @Override
    public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
        return false;
    }

    @Override
    public long compareAndSwap(int rkey, long address, long compare, long swap) {
        return 0;
    }

    @Override
    public long fetchAndAdd(int rkey, long address, long add) {
        return 0;
    }

    @Override
    public boolean invalidate(int rkey) {
        return false;
    }
}
