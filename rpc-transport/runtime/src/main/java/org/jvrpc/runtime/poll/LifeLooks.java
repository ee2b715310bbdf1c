package org.jvrpc.runtime.poll;

import org.jvrpc.runtime.session.Link;

/** When a poller looks whether its peers live, and at which, some at a time. The poller's thread. */
public final class LifeLooks {

    /** Whose lives are looked after at a time: some of them are asked for a sign of it. */
    public static final int MOST = 64;

    private final Walk walk = new Walk(MOST);
    private final long periodNs;
    private long nextNs;

    /** @param keepAliveNs after which a silent peer is asked */
    public LifeLooks(long keepAliveNs, long nowNs) {
        this.periodNs = keepAliveNs / Link.LOOKS_FOR_LIFE;
        this.nextNs = nowNs;
    }

    /** Returns which of so many is looked at first now; none, where it is not time, from 0 to 0. */
    public int begin(long nowNs, int size) {
        if (!walk.isUnderWay()) {
            if (nowNs - nextNs < 0) {
                return walk.begin(0);
            }
            nextNs = nowNs + periodNs;
        }
        return walk.begin(size);
    }

    /** Returns before which one it stops now. */
    public int end() {
        return walk.end();
    }

    /** Returns true when there are more to look at soon. */
    public boolean areUnderWay() {
        return walk.isUnderWay();
    }
}
