package org.jvrpc.router.peer;

/** Links to other routers, as who makes connections uses them. Any thread, never waits. */
public interface Links {

    /** A link to a host is needed soon: it is made, if it is not there. To be said again while that is so. */
    void want(String host);

    /**
     * Says something, behind all that was said before.
     *
     * @return false: there is no link
     */
    boolean say(String host, PeerMessage message);

    /** Returns why there is no link to a host, or null. */
    String trouble(String host);
}
