package org.jvrpc.router.peer;

/** What those who move data between hosts say to each other, beside what connections need. */
public interface PeerTalk {

    /** The most bytes that are said at a time. */
    int MAX_BODY = 4096;

    /**
     * Says something to the router of a host, behind all that was said before. Any thread, never waits.
     *
     * @return false: there is no link, or too much waits for it
     */
    boolean send(String host, byte[] body);

    /** Who hears. Called by the links' thread, for all hosts: never waits, never throws. */
    interface Lanes {

        /** A link is there, and none to that host was. Comes before any connection to that host. */
        void up(Peer peer);

        /** It is gone, with all connections by it, of which nobody else has been told yet. */
        void down(Peer peer, String why);

        void message(Peer peer, byte[] body);
    }
}
