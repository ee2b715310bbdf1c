package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.connection.ServiceChannel;
import org.jvrpc.runtime.thread.Deadline;

/** How one call waits for a server, and what it is told when there is none. One thread. */
final class Waiting {

    private static final long LOOK_MS = 50;
    private static final int MOST_TOLD = 8;
    private static final int MOST_TOLD_CHARACTERS = 300;

    private final BalancedCore core;
    private final long endNs;
    private final long limitNs;
    private final boolean forReady;

    /**
     * @param endNs when the call's time is over
     * @param limitNs how much there was, for a message
     * @param forReady waits also while every server is known to be of no use
     */
    Waiting(BalancedCore core, long endNs, long limitNs, boolean forReady) {
        this.core = core;
        this.endNs = endNs;
        this.limitNs = limitNs;
        this.forReady = forReady;
    }

    /**
     * Waits until there is another snapshot than one that was of no use.
     *
     * @param failures what servers refused that looked ready
     * @throws RpcException when there is nothing to wait for, or no time left
     */
    void await(Snapshot useless, List<RpcException> failures) {
        ServiceChannel.aboutToWait();
        synchronized (core) {
            while (core.snapshot() == useless) {
                if (core.isClosed()) {
                    throw RpcException.notRun(Status.UNAVAILABLE, "client is closed, address=" + core.target());
                }
                if (!forReady && !useless.pending()) {
                    throw refusal("no server of " + core.target(), failures);
                }
                long leftNs = Deadline.leftNs(core.clock(), endNs);
                if (leftNs <= 0) {
                    throw refusal("no server of " + core.target() + " in " + limitNs / 1000 + " us", failures);
                }
                try {
                    core.wait(Math.min(leftNs / 1_000_000 + 1, LOOK_MS));
                    if (!failures.isEmpty()) {
                        break; // those that refused are asked again
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw RpcException.notRun(Status.CANCELLED, "interrupted while waiting for " + core.target(), e);
                }
            }
            if (core.isClosed()) {
                throw RpcException.notRun(Status.UNAVAILABLE, "client is closed, address=" + core.target());
            }
        }
    }

    /** Under the client's lock. */
    private RpcException refusal(String what, List<RpcException> failures) {
        List<Status> statuses = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (RpcException failure : failures) {
            statuses.add(failure.status());
            reasons.add(failure.getMessage());
        }
        for (SubChannel server : core.set().all()) {
            if (!server.isReady()) {
                statuses.add(server.failureStatus());
                reasons.add(server.why());
            }
        }
        RpcException unresolved = core.set().unresolved();
        if (unresolved != null && core.set().all().isEmpty()) {
            statuses.add(unresolved.status());
            reasons.add(unresolved.getMessage());
        } else if (core.set().all().isEmpty()) {
            reasons.add(core.set().isResolved() ? "there are none" : "they are being looked up");
        }
        Status common = !statuses.isEmpty() && statuses.stream().distinct().count() == 1
                ? statuses.get(0) : Status.UNAVAILABLE;
        return RpcException.notRun(common, what + ": " + told(reasons), failures.isEmpty() ? null : failures.get(0));
    }

    private static String told(List<String> reasons) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < Math.min(MOST_TOLD, reasons.size()); i++) {
            String reason = String.valueOf(reasons.get(i));
            all.append(i == 0 ? "" : "; ").append(reason.length() <= MOST_TOLD_CHARACTERS ? reason
                    : reason.substring(0, MOST_TOLD_CHARACTERS) + "…");
        }
        return reasons.size() <= MOST_TOLD ? all.toString() : all + "; and " + (reasons.size() - MOST_TOLD) + " more";
    }
}
