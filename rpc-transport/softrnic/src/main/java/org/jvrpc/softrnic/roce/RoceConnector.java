package org.jvrpc.softrnic.roce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.softrnic.roce.socket.Probe;
import org.jvrpc.softrnic.roce.socket.RoceAddress;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;

/** The active side of connection set-up: one attempt. Blocks its caller, within a time limit. */
final class RoceConnector implements ManagementPort.Owner, AutoCloseable {

    /** How often it is looked whether the peer's host said that nobody has the UDP port. */
    private static final long LOOK_MS = 5;
    private static final int LEAST_MTU_CODE = 1;

    private final RoceNode node;
    private final Keeper keeper;
    private final RoceAddress address;
    private final RocePort port;
    private final Probe probe;
    private final long endNs;
    private final long timeoutNs;
    /** What came of it; guarded by this, as is the next. */
    private CmEvent outcome;
    private boolean closed;

    RoceConnector(RoceNode node, Keeper keeper, RoceAddress address, RocePort port, Probe probe, long startNs,
            long timeoutNs) {
        this.node = node;
        this.keeper = keeper;
        this.address = address;
        this.port = port;
        this.probe = probe;
        this.endNs = startNs + timeoutNs;
        this.timeoutNs = timeoutNs;
    }

    @Override
    public synchronized void event(CmEvent event) {
        outcome = event;
        notifyAll();
    }

    /** The device is being closed. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Connects. @throws ConnectionException when it does not come about */
    RoceConnection connect(byte[] framed, EventChannel channel, Runnable meanwhile) {
        InetAddress host = probe.remote().getAddress();
        CmPeer peer = new CmPeer(Gid.of(host.getAddress()), probe.remote().getPort());
        int mtu = RoceEndpoint.mtuCode(node.mtu());
        CmConnection asked = ask(peer, framed, mtu);
        try {
            meanwhile.run();
            CmEvent answer = await();
            while (answer.kind() == CmEvent.Kind.REFUSED && answer.reason() == RejectReason.INVALID_MTU
                    && mtu > LEAST_MTU_CODE) {
                mtu--;
                asked = ask(peer, framed, mtu);
                answer = await();
            }
            if (answer.kind() != CmEvent.Kind.REPLIED) {
                throw failure(answer);
            }
            return establish(asked, answer.reply(), RoceEndpoint.mtu(mtu), channel);
        } catch (RuntimeException | Error e) {
            node.management().disconnect(asked);
            throw e;
        }
    }

    private CmConnection ask(CmPeer peer, byte[] framed, int mtuCode) {
        synchronized (this) {
            outcome = null;
        }
        ConnectRequest request = port.request(
                Req.serviceId(address.port()), mtuCode, node.address(), peer.gid(), framed);
        return node.management().connect(request, peer, this);
    }

    private RoceConnection establish(CmConnection asked, ConnectReply reply, int mtu, EventChannel channel) {
        RoceConnection made = new RoceConnection(node, keeper, port, asked,
                PrivateBytes.unwrapOrEmpty(reply.privateData()), channel, null);
        asked.attach(made);
        port.connect(node, RoceEndpoint.of(asked, reply.qpn(), reply.startingPsn(), mtu),
                reply.responderResources(), ManagementPort.isKin(reply.caGuid()), () -> node.management().heard(asked));
        if (!node.management().ready(asked)) {
            throw new ConnectionException(
                    Reason.UNREACHABLE, address.text() + ": the peer left while it answered", null);
        }
        return made;
    }

    private synchronized CmEvent await() {
        boolean interrupted = false;
        try {
            while (outcome == null) {
                long leftNs = endNs - node.nowNs();
                if (closed || leftNs <= 0) {
                    throw closed ? new ConnectionException(Reason.LOCAL, address.text() + ": device is closed", null)
                            : new ConnectionException(Reason.TIMEOUT, address.text() + " did not answer in "
                                    + timeoutNs / 1_000_000 + " ms: " + hint(), null);
                }
                expectPort();
                try {
                    wait(Math.max(1, Math.min(LOOK_MS, leftNs / 1_000_000)));
                } catch (InterruptedException e) {
                    interrupted = true; // it is bounded, and the caller is told afterwards
                }
            }
            return outcome;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String hint() {
        return "the server does not accept, or packets to UDP port " + probe.remote().getPort() + " do not pass"
                + (node.lack() == null ? "" : "; if it is no roce:// device: " + node.lack());
    }

    private void expectPort() {
        try {
            probe.look();
        } catch (IOException e) {
            InetSocketAddress remote = probe.remote();
            throw new ConnectionException(Reason.UNREACHABLE, "nobody listens at " + address.text() + ": UDP port "
                    + remote.getPort() + " of " + remote.getAddress().getHostAddress()
                    + " is closed: is the server started, with this host and port?", e);
        }
    }

    private ConnectionException failure(CmEvent answer) {
        if (answer.kind() == CmEvent.Kind.ENDED) {
            return new ConnectionException(
                    Reason.UNREACHABLE, address.text() + ": the peer left while it answered", null);
        }
        byte[] data = PrivateBytes.unwrap(answer.data());
        return switch (answer.reason()) {
            case 0 -> new ConnectionException(Reason.TIMEOUT, address.text() + " did not answer: " + hint(), null);
            case RejectReason.INVALID_SERVICE_ID -> new ConnectionException(Reason.UNREACHABLE, "nobody listens at "
                    + address.text() + ": is the server started, with this host and port?", null);
            case RejectReason.STALE_CONNECTION -> new ConnectionException(Reason.REJECTED, address.text()
                    + " still has a connection of an earlier QP of this number: connect another", new byte[0], null);
            case RejectReason.TIMEOUT -> new ConnectionException(
                    Reason.TIMEOUT, address.text() + " gave up: reason=4 (timeout)", null);
            case RejectReason.CONSUMER -> data == null
                    ? new ConnectionException(Reason.UNREACHABLE, "the listener of " + address.text()
                            + " closed without an answer", null)
                    : new ConnectionException(Reason.REJECTED, address.text() + " refused", data, null);
            default -> new ConnectionException(Reason.REJECTED, address.text() + " refused: reason="
                    + answer.reason(), data == null ? new byte[0] : data, null);
        };
    }

    /** Connects a QP in INIT, which is in ERR when that fails. */
    static RoceConnection run(RoceHost host, RoceAddress address, RocePort port, byte[] framed, EventChannel channel,
            long timeoutNs, Runnable meanwhile) {
        long startNs = System.nanoTime();
        Keeper keeper = host.keeper();
        RoceConnector attempt = null;
        RoceNode node = null;
        try (Probe probe = Probe.open(address)) {
            node = host.connectFrom(address, probe.local());
            attempt = keeper.keep(new RoceConnector(node, keeper, address, port, probe, startNs, timeoutNs));
            return keeper.keep(attempt.connect(framed, channel, meanwhile));
        } catch (IOException e) {
            port.fail();
            throw new ConnectionException(Reason.UNREACHABLE, address.text() + ": " + e.getMessage(), e);
        } catch (VerbsException e) {
            port.fail();
            throw e instanceof ConnectionException ? e
                    : new ConnectionException(Reason.LOCAL, address.text() + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) { // of what is done meanwhile
            port.fail();
            throw e;
        } finally {
            if (attempt != null) {
                keeper.forget(attempt);
            }
            if (node != null) {
                SharedNodes.leave(node);
            }
        }
    }
}
