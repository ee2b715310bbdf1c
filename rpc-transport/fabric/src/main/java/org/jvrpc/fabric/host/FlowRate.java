package org.jvrpc.fabric.host;

import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.NotificationPoint;
import org.jvrpc.roce.congestion.Pacer;
import org.jvrpc.roce.congestion.ReactionPoint;

/** DCQCN of one QP: the rate at which it sends, and which marks of its peer's packets draw a CNP. */
final class FlowRate {

    private final ReactionPoint reaction;
    private final Pacer pacer;
    private final NotificationPoint notification;
    private final NotificationPoint.Flow flow = new NotificationPoint.Flow();
    private final long lineBitsPerSecond;

    FlowRate(DcqcnParameters parameters, long lineBitsPerSecond, long nowNs) {
        this.lineBitsPerSecond = lineBitsPerSecond;
        reaction = new ReactionPoint(parameters, lineBitsPerSecond);
        pacer = new Pacer(lineBitsPerSecond, 0, nowNs);
        notification = new NotificationPoint(parameters.cnpIntervalNs());
    }

    /** Returns true when a data packet may leave. */
    boolean mayLeave(long nowNs) {
        if (reaction.hasDeadline()) {
            reaction.advance(nowNs);
            pacer.setRate(reaction.bitsPerSecond(), nowNs);
        }
        return isAtLine() || pacer.mayLeave(nowNs);
    }

    private boolean isAtLine() {
        return reaction.bitsPerSecond() == lineBitsPerSecond;
    }

    /** Returns when to look again whether one may leave. */
    long nextNs(long nowNs) {
        long next = pacer.mayLeaveAtNs();
        if (reaction.hasDeadline() && reaction.deadlineNs() - next < 0) {
            next = reaction.deadlineNs();
        }
        return Math.max(next, nowNs + 1);
    }

    /** A data packet left. */
    void left(int bytes, long nowNs) {
        pacer.left(bytes, nowNs);
        reaction.sent(bytes, nowNs);
        pacer.setRate(reaction.bitsPerSecond(), nowNs);
    }

    void cnp(long nowNs) {
        reaction.cnp(nowNs);
        pacer.setRate(reaction.bitsPerSecond(), nowNs);
    }

    /** A packet came; returns true when a CNP is to go back. */
    boolean received(int trafficClass, long nowNs) {
        return notification.received(flow, trafficClass, nowNs);
    }

    long bitsPerSecond() {
        return reaction.bitsPerSecond();
    }
}
