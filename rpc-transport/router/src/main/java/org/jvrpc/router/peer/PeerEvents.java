package org.jvrpc.router.peer;

/** Who makes connections between hosts, as links tell it. Called by the links' thread: never waits, never throws. */
public interface PeerEvents {

    /** A link is there, and none to that host was. */
    void up(Peer peer);

    /** It is gone, with all connections by it. Lanes know already. */
    void down(Peer peer, String why);

    void heard(Peer peer, PeerMessage message);
}
