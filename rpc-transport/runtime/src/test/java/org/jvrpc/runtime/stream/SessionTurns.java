package org.jvrpc.runtime.stream;

/** Does by hand what the thread does that polls sessions. One thread. */
public final class SessionTurns {

    private SessionTurns() {
    }

    /** Takes what came, and tells users; returns how much there was to do. */
    public static int take(StreamSession session, int most) {
        return session.poll(most) + session.signals().run();
    }

    /** Tells users all that there is to tell, after the end. */
    public static void tellAll(StreamSession session) {
        session.signals().runAll();
    }

    /** Ends streams whose time is over. */
    public static void expire(StreamSession session, long nowNs) {
        session.expire(nowNs);
    }
}
