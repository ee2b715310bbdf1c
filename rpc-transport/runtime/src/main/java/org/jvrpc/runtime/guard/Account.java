package org.jvrpc.runtime.guard;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;

/** What one principal costs a server, over all sessions. Any thread. */
final class Account {

    /** Returned for an account that is none any more: there is another one. */
    static final String CLOSED = "closed";
    private static final long MILLI_NS = 1_000_000;

    private final RpcPrincipal principal;
    private final PrincipalLimits limits;
    private final RateBucket calls;
    private final RateBucket bytes;
    private int sessions;
    private int underWay;
    private boolean closed;

    Account(RpcPrincipal principal, PrincipalLimits limits, long nowNs) {
        this.principal = principal;
        this.limits = limits;
        this.calls = limits.callsPerSecond() == 0 ? null : new RateBucket(limits.callsPerSecond(), nowNs);
        this.bytes = limits.bytesPerSecond() == 0 ? null : new RateBucket(limits.bytesPerSecond(), nowNs);
    }

    /** Returns why there may be no session more, or null. */
    synchronized String sessionRefusal() {
        return sessions < limits.maxSessions() ? null
                : who() + "sessions=" + sessions + " limit=" + limits.maxSessions();
    }

    /** Returns why there is a session too many, or null. */
    synchronized String sessionsOver() {
        return sessions <= limits.maxSessions() ? null
                : who() + "sessions=" + (sessions - 1) + " limit=" + limits.maxSessions();
    }

    /** Counts a session; false when the account is closed. */
    synchronized boolean addSession() {
        if (!closed) {
            sessions++;
        }
        return !closed;
    }

    synchronized void removeSession() {
        sessions--;
    }

    /** Counts a call. Returns null, why not, or {@link #CLOSED}. */
    synchronized String enter(long callBytes, long nowNs) {
        if (closed) {
            return CLOSED;
        }
        if (underWay >= limits.maxCalls()) {
            return who() + "calls under way=" + underWay + " limit=" + limits.maxCalls();
        }
        if (calls != null && !calls.mayTake(nowNs)) {
            return who() + "calls a second limit=" + limits.callsPerSecond() + again(calls);
        }
        if (bytes != null && !bytes.mayTake(nowNs)) {
            return who() + "bytes a second limit=" + limits.bytesPerSecond() + " bytes=" + callBytes + again(bytes);
        }
        if (calls != null) {
            calls.take(1);
        }
        if (bytes != null) {
            bytes.take(callBytes);
        }
        underWay++;
        return null;
    }

    /** Returns false while what was received is more than its share. For sessions, whose account stays. */
    synchronized boolean mayReceive(long nowNs) {
        return bytes == null || bytes.mayTake(nowNs);
    }

    synchronized void received(long count) {
        if (bytes != null) {
            bytes.take(count);
        }
    }

    private String who() {
        return "principal " + principal + " has reached its limit: ";
    }

    private static String again(RateBucket bucket) {
        return ", again in ms=" + Math.max(1, bucket.waitNs() / MILLI_NS);
    }

    synchronized void leave() {
        underWay--;
    }

    /** Closes it where nothing is lost by that; true when it is closed. */
    synchronized boolean closeIfIdle(long nowNs) {
        closed |= sessions == 0 && underWay == 0 && (calls == null || calls.isFull(nowNs))
                && (bytes == null || bytes.isFull(nowNs));
        return closed;
    }

    synchronized int underWay() {
        return underWay;
    }

    synchronized int sessions() {
        return sessions;
    }
}
