package org.jvrpc.ibverbs.cm;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.VerbsException;

/**
 * The active side of connection set-up, step by step, on an event channel of its own, so that nobody has to wait on the
 * caller's meanwhile. All steps together are bounded by the caller's time. One thread.
 */
final class ConnectAttempt implements CmHandler {

    private final ConnectionManager manager;
    private final Remote remote;
    private final RdmaQueuePair qp;
    private final RdmaEventChannel own;
    private final long startNs = System.nanoTime();
    private final long timeoutNs;
    private final Deque<CmEvent> events = new ArrayDeque<>();
    private CmId id;

    ConnectAttempt(ConnectionManager manager, Remote remote, RdmaQueuePair qp, RdmaEventChannel own, long timeoutNs) {
        this.manager = manager;
        this.remote = remote;
        this.qp = qp;
        this.own = own;
        this.timeoutNs = timeoutNs;
    }

    @Override
    public boolean event(CmEvent event) {
        events.add(event);
        return true;
    }

    /** Connects. @throws ConnectionException when it does not come about: nothing is left but the QP as it is */
    CmConnection run(byte[] framed, RdmaEventChannel channel) {
        try {
            CmChannel target = CmChannel.of(channel);
            id = CmId.create(CmChannel.of(own), this);
            byte[] answer = ask(framed);
            id.ready(qp);
            id.establish();
            CmConnection connection = new CmConnection(manager, qp, id, answer);
            try {
                id.moveTo(target, connection);
            } catch (RuntimeException e) {
                manager.forget(connection);
                throw e;
            }
            events.forEach(connection::event);
            return connection;
        } catch (RuntimeException e) {
            if (id != null) {
                id.destroy();
            }
            throw e instanceof ConnectionException ? e
                    : new ConnectionException(Reason.LOCAL, remote.text() + ": " + e.getMessage(), e);
        }
    }

    private byte[] ask(byte[] framed) {
        if (RxeLink.down(manager.device()) != null) {
            throw new ConnectionException(Reason.LOCAL, remote.text() + ": " + manager.trouble(), null);
        }
        InetAddress source = remote.source();
        id.resolveAddress(source, remote.host(), remote.port(), leftMs());
        await(CmEvent.ADDR_RESOLVED, "address");
        String device = id.device();
        if (!manager.device().equals(device)) {
            throw new ConnectionException(Reason.LOCAL, remote.text() + " is reached by device " + device
                    + ", the queue pair is of " + manager.device() + ": name it by ?device= or ?from=", null);
        }
        int trafficClass = qp.states().attributes().serviceClass().trafficClass();
        if (trafficClass != 0) {
            id.trafficClass(trafficClass);
        }
        id.resolveRoute(leftMs());
        await(CmEvent.ROUTE_RESOLVED, "route");
        id.connect(qp, framed);
        return PrivateBytes.orEmpty(await(CmEvent.CONNECT_RESPONSE, "answer").privateData());
    }

    private int leftMs() {
        long leftNs = timeoutNs - (System.nanoTime() - startNs);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, leftNs / 1_000_000));
    }

    private CmEvent await(int type, String what) {
        while (events.isEmpty()) {
            long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                throw new ConnectionException(Reason.TIMEOUT, remote.text() + ": no " + what + " in "
                        + timeoutNs / 1_000_000 + " ms" + (what.equals("answer")
                                ? ": the server does not accept, or packets to UDP port 4791 do not pass" : ""), null);
            }
            if (!own.await(leftNs) && Thread.currentThread().isInterrupted()) {
                throw new ConnectionException(Reason.LOCAL, remote.text() + ": interrupted", null);
            }
        }
        CmEvent event = events.poll();
        if (event.type() != type) {
            throw failure(event);
        }
        return event;
    }

    private VerbsException failure(CmEvent event) {
        String status = event.status() < 0 ? Errno.describe(-event.status()) : "status=" + event.status();
        return switch (event.type()) {
            case CmEvent.ADDR_ERROR -> new ConnectionException(Reason.UNREACHABLE, remote.text()
                    + ": no way to this host by an RDMA device, " + status + ": is the address right, is the host up,"
                    + " and is it in the network of device " + manager.device() + "?", null);
            case CmEvent.ROUTE_ERROR -> new ConnectionException(Reason.UNREACHABLE, remote.text()
                    + ": device " + manager.device() + " finds no route, " + status, null);
            case CmEvent.UNREACHABLE -> new ConnectionException(Reason.UNREACHABLE, remote.text()
                    + ": the host did not answer, " + status + ": has it an RDMA device at this address, and do packets"
                    + " to UDP port 4791 pass?", null);
            case CmEvent.REJECTED -> Rejection.of(remote.text(), event.status(), event.privateData());
            case CmEvent.DISCONNECTED -> new ConnectionException(
                    Reason.UNREACHABLE, remote.text() + ": the peer left while it answered", null);
            case CmEvent.DEVICE_REMOVAL -> new ConnectionException(
                    Reason.LOCAL, remote.text() + ": device " + manager.device() + " is gone", null);
            default -> new ConnectionException(
                    Reason.LOCAL, remote.text() + ": event=" + event.type() + ", " + status, null);
        };
    }
}
