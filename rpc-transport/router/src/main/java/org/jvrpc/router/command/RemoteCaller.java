package org.jvrpc.router.command;

import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.Offer;

/** A QP of another host that is being connected, as its router says. */
final class RemoteCaller implements Caller {

    private final Remotes remotes;
    private final RemoteJoins.Key key;
    private final Peer peer;
    private final PeerMessage.Connect connect;
    private final TenantId tenant;

    RemoteCaller(Remotes remotes, RemoteJoins.Key key, Peer peer, PeerMessage.Connect connect, TenantId tenant) {
        this.remotes = remotes;
        this.key = key;
        this.peer = peer;
        this.connect = connect;
        this.tenant = tenant;
    }

    RemoteJoins.Key key() {
        return key;
    }

    Peer peer() {
        return peer;
    }

    @Override
    public TenantId tenant() {
        return tenant;
    }

    @Override
    public Home home(long waitedNs) {
        return remotes.home(this, connect, waitedNs);
    }

    @Override
    public String address() {
        return connect.address();
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public void done() {
        remotes.done(key);
    }

    @Override
    public boolean join(End listener, Contact contact, Offer answer, int id) {
        remotes.join(this, connect, listener, contact, answer, id);
        return false;
    }

    @Override
    public void rejected(TenantId by, Offer answer) {
        remotes.rejected(this, answer.privateData());
    }

    @Override
    public void refused(RefusedException why) {
        remotes.refused(this, connect, why);
    }

    @Override
    public boolean isOf(ControlSession session) {
        return false;
    }

    @Override
    public boolean is(End end) {
        return false;
    }
}
