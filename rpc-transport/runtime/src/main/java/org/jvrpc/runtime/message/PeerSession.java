package org.jvrpc.runtime.message;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.counters.write.FrameCounters;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.session.Link;

/** Whose a session is, whether they may go on, and what its user keeps with it. Any thread, but for what says else. */
abstract class PeerSession implements MessageSession {

    private final Link link;
    private final Runnable interest;
    /** What its bytes are counted by; null where nobody counts them. Set before it is polled. */
    private Gate meter;
    /** Set before it is polled; null at a client. */
    private Gate gate;
    /** Why its principal may not be here any more, once it may not. */
    private volatile String expelled;
    private volatile Object attachment;
    /** Set before it is polled; null where nothing is counted. */
    private FrameCounters counters;

    PeerSession(Link link, Runnable interest) {
        this.link = link;
        this.interest = interest;
    }

    /** Says by what the peer came in. Before the session is polled. */
    final void behind(Gate entrance) {
        gate = entrance;
        meter = entrance.isMetered() ? entrance : null;
    }

    /** Says where its frames count, or null. Before the session is polled. */
    final void countBy(FrameCounters where) {
        counters = where;
    }

    /** A frame was sent, or queued. Under the monitor of this. */
    final void frameLeft(int bytes) {
        if (counters != null) {
            counters.sent(bytes);
        }
    }

    /** A frame came. The polling thread. */
    final void frameCame(int bytes) {
        if (counters != null) {
            counters.received(bytes);
        }
    }

    /** Returns what the peer came in by. Server only. */
    final Gate gate() {
        return gate;
    }

    /** Ends the session soon, as its principal may not have one any more. Returns at once. */
    final void expel(String why) {
        expelled = why;
        interest.run();
    }

    /** Returns why it is to end, or null. */
    final String expelled() {
        return expelled;
    }

    /** Returns true while more was received than its principal may send in the time. The polling thread. */
    final boolean isAhead() {
        return meter != null && !meter.mayReceive();
    }

    /** So many bytes were received. The polling thread. */
    final void received(int bytes) {
        if (meter != null) {
            meter.received(bytes);
        }
    }

    /** The session is buried. */
    final void leave() {
        if (counters != null) {
            counters.close();
            counters = null;
        }
        if (gate != null) {
            gate.close();
        }
    }

    @Override
    public RpcPrincipal principal() {
        return link.who().principal();
    }

    @Override
    public Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object object) {
        attachment = object;
    }
}
