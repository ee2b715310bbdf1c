package org.jvrpc.runtime.sim.device;

import java.util.concurrent.locks.LockSupport;
import org.jvrpc.fabric.host.ManagementPort;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;

/** The active side of a connection over a fabric: a REQ, and the wait of a simulated process for what comes of it. */
final class FabricAttempt implements ManagementPort.Owner {

    private final FabricNetwork fabric;
    private final SimProcess process;
    private final FabricHost host;
    private final SimQueuePair qp;
    private final SimChannel channel;
    private final FabricWire wire;
    private final Thread waiter = Thread.currentThread();
    private CmConnection asked;
    private CmEvent outcome;
    private SimConnection made;
    private boolean left;

    FabricAttempt(FabricNetwork fabric, SimProcess process, FabricHost host, SimQueuePair qp, SimChannel channel) {
        this.fabric = fabric;
        this.process = process;
        this.host = host;
        this.qp = qp;
        this.channel = channel;
        wire = fabric.wire(host, qp);
    }

    /** Waits for the answer. */
    Connection connect(String address, FabricListener to, byte[] data, long timeoutNs) {
        byte[] framed = PrivateBytes.wrap(data, PrivateBytes.MAX_REQUEST);
        World world = process.world();
        long endNs = world.nowNs() + timeoutNs;
        fabric.soon(() -> ask(to.peer(), to.serviceId(), framed));
        while (outcome == null && world.nowNs() < endNs) {
            process.parkNanos(this, endNs - world.nowNs());
            Thread.interrupted();
        }
        if (made != null) {
            return made;
        }
        left = true;
        fabric.soon(this::giveUp);
        qp.error();
        throw outcome == null ? new ConnectionException(Reason.TIMEOUT, "no answer from " + address, null)
                : failure(address);
    }

    private void ask(CmPeer peer, long serviceId, byte[] framed) {
        if (!left && !process.isDead()) {
            asked = host.management().connect(wire.request(serviceId, host.peer(), peer, framed), peer, this);
        }
    }

    private void giveUp() {
        if (asked != null) {
            host.management().disconnect(asked);
        }
    }

    private ConnectionException failure(String address) {
        byte[] data = PrivateBytes.unwrap(outcome.data());
        return outcome.reason() == RejectReason.CONSUMER && data != null
                ? new ConnectionException(Reason.REJECTED, address, data, null)
                : new ConnectionException(outcome.reason() == 0 ? Reason.TIMEOUT : Reason.UNREACHABLE,
                        address + ": " + outcome.kind() + " reason=" + outcome.reason(), null);
    }

    @Override
    public void event(CmEvent event) {
        if (made != null) {
            if (event.kind() == CmEvent.Kind.ENDED) {
                made.peerLeft();
            }
            return;
        }
        if (left || process.isDead()) {
            host.management().disconnect(asked);
            return;
        }
        outcome = event;
        if (event.kind() == CmEvent.Kind.REPLIED) {
            establish(event.reply());
        }
        LockSupport.unpark(waiter);
    }

    private void establish(ConnectReply reply) {
        made = new SimConnection(qp, PrivateBytes.unwrapOrEmpty(reply.privateData()), channel);
        made.leavesBy(() -> fabric.soon(this::giveUp));
        wire.agree(ManagementPort.mac(asked.peer()), reply.qpn(), reply.startingPsn(),
                () -> host.management().heard(asked));
        qp.established();
        wire.begin();
        if (!host.management().ready(asked)) {
            made.peerLeft();
        }
    }
}
