package org.jvrpc.testkit.simulated;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;

/** A call whose answer is to come. One thread. */
final class PendingCall {

    private final long number;
    private Runnable whenDone = () -> { };
    private boolean done;
    private WireReader answer;
    private int thrown;
    private RpcException failure;

    PendingCall(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    boolean isDone() {
        return done;
    }

    /** Has something done at its end. */
    void then(Runnable what) {
        whenDone = what;
    }

    void answered(WireReader in) {
        int outcome = in.readInt();
        if (outcome < 0) {
            Status status = Status.values()[in.readInt()];
            failed(new RpcException(status, in.readPresence() ? in.readString() : null));
            return;
        }
        thrown = outcome;
        answer = in;
        end();
    }

    void failed(RpcException with) {
        if (!done) {
            failure = with;
            end();
        }
    }

    private void end() {
        done = true;
        whenDone.run();
    }

    /** Returns the answer. @throws RpcException when it failed */
    WireReader answer() {
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    int thrown() {
        return thrown;
    }
}
