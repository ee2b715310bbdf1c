package org.jvrpc.runtime.sim.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.EndpointMemory;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.verbs.WcStatus;

/** What joins a simulated QP to its endpoint in a fabric: fetches what was posted, reaches its memory by keys. */
final class FabricWire implements Application, EndpointMemory {

    static final int RETRIES = 7;

    private static final int MOST_MESSAGE = 1 << 20;
    private static final int READS = 16;
    /** 4.096 us * 2^7: what {@link FabricNetwork} has. */
    private static final int ACK_TIMEOUT = 7;

    private final FabricNetwork fabric;
    private final SimQueuePair qp;
    private final ByteBuffer arriving = ByteBuffer.allocate(MOST_MESSAGE).order(ByteOrder.LITTLE_ENDIAN);
    private final RcEndpoint endpoint;
    /** That with which the peer begins. */
    private final int psn;
    private boolean ended;

    FabricWire(FabricNetwork fabric, SimQueuePair qp, Nic nic, EndpointSettings settings, int psn) {
        this.fabric = fabric;
        this.qp = qp;
        this.psn = psn;
        endpoint = nic.endpoint(settings, this, this);
        qp.carriedBy(this);
    }

    // ---- connecting: a REQ or REP names the PSN with which its receiver begins

    ConnectRequest request(long serviceId, CmPeer from, CmPeer to, byte[] framed) {
        return new ConnectRequest(0, 0, serviceId, 0, endpoint.qpn(), psn, READS, READS, FabricNetwork.MTU_CODE,
                RETRIES, RETRIES, ACK_TIMEOUT, false, from.port(), from.gid(), to.gid(), framed);
    }

    ConnectReply reply(byte[] framed) {
        return new ConnectReply(0, 0, 0, 0, endpoint.qpn(), psn, READS, READS, RETRIES, false, framed);
    }

    /** Knows its peer. @param heard told once, when a packet of the peer's came */
    void agree(int peerMac, int peerQpn, int firstPsn, Runnable heard) {
        endpoint.agree(peerMac, peerQpn, firstPsn, psn, heard);
    }

    /** The peer is ready. */
    void begin() {
        endpoint.begin();
    }

    /** The QP has something to send. */
    void posted() {
        fabric.soon(() -> {
            if (!ended) {
                endpoint.posted();
            }
        });
    }

    /** The QP is in ERR, or its process is dead: nothing of it is sent or taken any more. */
    void end() {
        if (!ended) {
            ended = true;
            fabric.soon(endpoint::fail);
        }
    }

    // ---- what is sent

    @Override
    public boolean fetch(SendWork work) {
        SimSend.Posted send = ended ? null : qp.fetch();
        if (send == null) {
            return false;
        }
        SendWork.Operation operation = switch (send.opcode) {
            case SEND -> SendWork.Operation.SEND;
            case RDMA_READ -> SendWork.Operation.READ;
            case RDMA_WRITE -> SendWork.Operation.WRITE;
            default -> throw new Violation("nobody sends " + send.opcode);
        };
        work.set(operation, send.bytes(), send.number).flags(false, false).remote(send.remoteAddress, send.rkey)
                .operands(0, 0);
        return true;
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        if (ended) {
            return WcStatus.WR_FLUSH_ERR; // its endpoint ends in a later step
        }
        SimSend.Posted send = qp.underWay(work.cookie());
        ByteBuffer whole = ByteBuffer.allocate(send.bytes());
        if (!send.copy(qp.domain(), whole, true, 0)) {
            return WcStatus.LOC_PROT_ERR;
        }
        packet.put(at, whole, (int) from, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        if (ended) {
            return WcStatus.WR_FLUSH_ERR;
        }
        SimSend.Posted send = qp.underWay(work.cookie());
        if (send.brought == null) {
            send.brought = ByteBuffer.allocate(send.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
        send.brought.put((int) from, packet, at, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        return WcStatus.LOC_QP_OP_ERR;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        if (!ended) {
            qp.carried(work.cookie(), status);
        }
    }

    // ---- what arrives

    @Override
    public boolean takeReceive() {
        if (!ended && !qp.hasReceive()) {
            throw new Violation("a message found no receive: flow control let too many leave, to " + qp);
        }
        return true;
    }

    @Override
    public long receiveBytes() {
        return MOST_MESSAGE;
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length) {
        arriving.put((int) from, packet, at, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public void arrived(Arrival kind, long length, int word, long nowNs) {
        if (!ended) {
            qp.receive(arriving.slice(0, (int) length).order(ByteOrder.LITTLE_ENDIAN), 0);
        }
    }

    // ---- what the peer reaches

    @Override
    public boolean allows(int rkey, long address, long length, int access) {
        return !ended && qp.domain().reach(rkey, address, (int) length, access) != null;
    }

    @Override
    public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
        return false;
    }

    @Override
    public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
        ByteBuffer found = ended ? null : qp.domain().reach(rkey, address, length, 0);
        if (found != null) {
            packet.put(at, found, 0, length);
        }
        return found != null;
    }

    @Override
    public long compareAndSwap(int rkey, long address, long compare, long swap) {
        throw new Violation("nobody sends atomics");
    }

    @Override
    public long fetchAndAdd(int rkey, long address, long add) {
        throw new Violation("nobody sends atomics");
    }

    @Override
    public boolean invalidate(int rkey) {
        return false;
    }
}
