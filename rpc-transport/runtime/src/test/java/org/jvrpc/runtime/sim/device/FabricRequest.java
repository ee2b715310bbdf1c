package org.jvrpc.runtime.sim.device;

import org.jvrpc.fabric.host.ManagementPort;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;

/** A REQ that came over a fabric, to be answered by a simulated process; what it says is sent in later steps. */
final class FabricRequest implements SimListener.Request, ManagementPort.Owner {

    private static final byte[] NONE = {};

    private final FabricNetwork fabric;
    private final FabricHost host;
    private final CmConnection asking;
    private final ConnectRequest request;
    private FabricWire wire;
    private SimConnection made;
    private boolean answered;
    private boolean over;

    FabricRequest(FabricNetwork fabric, FabricHost host, CmConnection asking, ConnectRequest request) {
        this.fabric = fabric;
        this.host = host;
        this.asking = asking;
        this.request = request;
    }

    @Override
    public void event(CmEvent event) {
        if (event.kind() == CmEvent.Kind.ESTABLISHED) {
            wire.begin();
        } else if (event.kind() == CmEvent.Kind.ENDED) {
            over = true;
            if (made != null) {
                made.peerLeft();
            }
        }
    }

    @Override
    public byte[] privateData() {
        return PrivateBytes.unwrapOrEmpty(request.privateData());
    }

    @Override
    public String peer() {
        return "host " + ManagementPort.mac(asking.peer());
    }

    @Override
    public Connection accept(QueuePair with, byte[] data) {
        throw new IllegalStateException("say which channel");
    }

    @Override
    public Connection accept(QueuePair with, byte[] data, EventChannel watch) {
        answer();
        if (over) {
            throw new ConnectionException(ConnectionException.Reason.UNREACHABLE, "the peer is gone", null);
        }
        byte[] framed = PrivateBytes.wrap(data, PrivateBytes.MAX_ANSWER);
        SimQueuePair qp = (SimQueuePair) with;
        wire = fabric.wire(host, qp);
        made = new SimConnection(qp, privateData(), (SimChannel) watch);
        made.leavesBy(() -> fabric.soon(() -> host.management().disconnect(asking)));
        qp.established();
        fabric.soon(() -> {
            wire.agree(ManagementPort.mac(asking.peer()), request.qpn(), request.startingPsn(),
                    () -> host.management().heard(asking));
            if (!host.management().accept(asking, wire.reply(framed))) {
                made.peerLeft();
            }
        });
        return made;
    }

    private void answer() {
        if (answered) {
            throw new IllegalStateException("answered already");
        }
        answered = true;
    }

    @Override
    public void reject(byte[] data) {
        answer();
        reject(RejectReason.CONSUMER, PrivateBytes.wrap(data, PrivateBytes.MAX_ANSWER));
    }

    /** Nobody will answer it any more. */
    @Override
    public void drop() {
        if (!answered) {
            answered = true;
            reject(RejectReason.CONSUMER, NONE);
        }
    }

    private void reject(int reason, byte[] framed) {
        fabric.soon(() -> host.management().reject(asking, reason, framed));
    }
}
