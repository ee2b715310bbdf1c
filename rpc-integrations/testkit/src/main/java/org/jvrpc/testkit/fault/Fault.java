package org.jvrpc.testkit.fault;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * What befalls one call.
 *
 * @param delayNs for DELAY
 * @param failure for STATUS and ANSWER_STATUS
 */
record Fault(Kind kind, long delayNs, RpcException failure) {

    /** What becomes of a call. */
    enum Kind {
        /** It leaves later, an asynchronous one is answered later. */
        DELAY,
        /** It does not arrive. */
        DROP,
        /** It is handled, and its answer does not arrive. */
        DROP_ANSWER,
        /** It fails, and did not run. */
        STATUS,
        /** It is handled, and fails all the same. */
        ANSWER_STATUS,
        /** All sessions end as it leaves. */
        KILL_SESSIONS,
        /** The server ends as it leaves. */
        KILL_SERVER,
        /** The server ends as it leaves, and another follows. */
        RESTART_SERVER
    }

    /** Returns what befalls a call with a stream, which nothing befalls once it is made. */
    Fault ofStream() {
        return switch (kind) {
            case ANSWER_STATUS -> new Fault(Kind.STATUS, 0,
                    RpcException.notRun(failure.status(), failure.getMessage()));
            case DROP_ANSWER -> new Fault(Kind.DROP, 0, null);
            default -> this;
        };
    }

    /** Returns true where the call is not made. */
    boolean isInsteadOfCall() {
        return kind != Kind.DELAY && kind != Kind.DROP_ANSWER && kind != Kind.ANSWER_STATUS;
    }

    /** Returns true where nothing comes of the call before its time is over. */
    boolean isLoss() {
        return kind == Kind.DROP || kind == Kind.DROP_ANSWER;
    }

    /** Ends what is to end, and returns what the call fails with; of a loss, what it fails with in the end. */
    RpcException strike(Victims victims, MethodDescriptor method) {
        switch (kind) {
            case KILL_SESSIONS -> victims.killSessions();
            case KILL_SERVER -> victims.killServer();
            case RESTART_SERVER -> victims.restartServer();
            default -> { }
        }
        return switch (kind) {
            case STATUS, ANSWER_STATUS -> failure;
            case DROP, DROP_ANSWER -> new RpcException(Status.DEADLINE_EXCEEDED,
                    "no answer in time, by a fault: " + kind + " of " + method.fullName());
            default -> new RpcException(Status.UNAVAILABLE,
                    "the connection is lost, by a fault: " + kind + " at " + method.fullName());
        };
    }

    /** Lets time pass. @throws RpcException CANCELLED when the thread is interrupted */
    static void pass(long ns) {
        long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(Fault.class, Math.min(leftNs, TimeUnit.SECONDS.toNanos(1)));
            if (Thread.currentThread().isInterrupted()) {
                throw new RpcException(Status.CANCELLED, "interrupted while a fault held the call up");
            }
        }
    }
}
