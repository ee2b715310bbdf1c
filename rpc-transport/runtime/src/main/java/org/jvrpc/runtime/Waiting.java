package org.jvrpc.runtime;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * The long wait of a synchronous call, begun when the answer did not come in the first spins: spins and polls by turns
 * with others, keeps the deadline, sleeps when the client's idle strategy says so.
 */
final class Waiting {

    private final ClientSession session;
    private final ClientSlot call;

    Waiting(ClientSession session, ClientSlot call) {
        this.session = session;
        this.call = call;
    }

    void run() {
        long deadlineNs = call.deadlineNs();
        long startNs = System.nanoTime();
        Idler idler = session.client().idlerOfThread();
        while (true) {
            session.pollFor(call);
            if (!call.isPending()) {
                return;
            }
            long nowNs = System.nanoTime();
            if (nowNs - startNs > deadlineNs && session.giveUp(call)) {
                call.failWith(new RpcException(Status.DEADLINE_EXCEEDED, "no answer in " + deadlineNs / 1000 + " us: "
                        + call.method().fullName()));
                return;
            }
            if (idler.idle(nowNs)) {
                idler.sleeps(nowNs);
                session.sleep(call, deadlineNs - (nowNs - startNs));
                if (!call.isPending()) {
                    idler.woken(System.nanoTime());
                    return;
                }
            }
        }
    }
}
