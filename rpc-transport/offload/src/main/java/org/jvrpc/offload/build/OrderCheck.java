package org.jvrpc.offload.build;

import java.util.List;
import java.util.Set;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.NopRequest;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.WorkRequest;

/**
 * Proves for each WR that another changes that it is fetched after the change, by three orders: a queue runs its WRs
 * one after the other, a WAIT ends after what it waits for, a managed queue fetches a WR after an ENABLE that allows
 * it; see {@link HappensBefore}. A jump must not go over a WAIT or ENABLE. In a recycled program, a change and the WR
 * that it changes must be in order within the lap, and in order from each lap to the next.
 *
 * <p>Of a queue that {@linkplain ChainQueue#prefetches() prefetches} more is asked, since a WR there counts as fetched
 * when the earliest ENABLE allows it: the change must be complete before that ENABLE begins, on a device that has
 * several WRs of a queue under way. That is RedN's doorbell order: a WAIT for the change, then an ENABLE, before each
 * WQE that is changed.
 */
final class OrderCheck {

    private final Draft program;
    private final List<Modification> modifications;
    private HappensBefore order;

    OrderCheck(Draft program, List<Modification> modifications) {
        this.program = program;
        this.modifications = modifications;
    }

    void run() {
        order = new HappensBefore(program, modifications, true);
        checkThatAllRun();
        for (Modification modification : modifications) {
            check(modification);
        }
        List<Modification> prefetched = modifications.stream().filter(m -> m.target().queue().prefetches()).toList();
        if (!prefetched.isEmpty()) {
            HappensBefore inFlight = new HappensBefore(program, modifications, false);
            prefetched.forEach(modification -> checkDoorbellOrder(modification, inFlight));
        }
        program.starts().forEach(OrderCheck::checkProgramsBefore);
    }

    /** Returns true when a WR is surely complete before another begins. */
    boolean isBefore(WorkRequest first, int firstLap, WorkRequest second, int secondLap) {
        return order.isBefore(first, firstLap, second, secondLap);
    }

    private void checkThatAllRun() {
        Set<WorkRequest> running = order.running();
        for (WorkRequest wr : order.wrs()) {
            boolean pad = wr instanceof NopRequest nop && nop.isPad(); // runs with the next lap at the latest
            if (!pad && !running.contains(wr)) {
                throw new OrderException(wr + " never runs: no ENABLE and no start lets " + wr.queue()
                        + " run so far");
            }
        }
    }

    private void check(Modification modification) {
        WorkRequest by = modification.by();
        WorkRequest target = modification.target();
        if (!target.queue().isManaged()) {
            throw new OrderException(describe(modification) + ", but " + target.queue()
                    + " is not managed: the WR would be prefetched");
        }
        boolean early = isBeforeInEachLap(by, target);
        boolean late = isBeforeInEachLap(target, by);
        if (order.laps() == 1) {
            if (!early) {
                throw new OrderException(describe(modification) + (late ? " only after it ran"
                        : ", but may be prefetched before that: let a WAIT for " + by + " come before the ENABLE of "
                                + target));
            }
            return;
        }
        if (by == target) {
            return; // it is fetched before it changes itself, for the next lap
        }
        boolean inNext = early ? isBefore(target, 0, by, 1) : isBefore(by, 0, target, 1);
        if (!early && !late) {
            throw new OrderException(describe(modification) + ", but may be prefetched before that: nothing orders the "
                    + "two within a lap");
        }
        if (!inNext) {
            throw new OrderException(describe(modification) + ", but nothing orders the "
                    + (early ? "change in the next lap after it: it may change while it runs"
                            : "next lap's after that: it may be prefetched"));
        }
    }

    private boolean isBeforeInEachLap(WorkRequest first, WorkRequest second) {
        return isBefore(first, 0, second, 0) && (order.laps() == 1 || isBefore(first, 1, second, 1));
    }

    private void checkDoorbellOrder(Modification modification, HappensBefore inFlight) {
        WorkRequest by = modification.by();
        WorkRequest target = modification.target();
        boolean sameLap = isBefore(by, 0, target, 0);
        WorkRequest enable = inFlight.earlyEnable(by, 0, target, sameLap ? 0 : 1);
        if (enable == null && sameLap && order.laps() > 1) {
            enable = inFlight.earlyEnable(by, 1, target, 1);
        }
        if (enable != null) {
            throw new OrderException(describe(modification) + ", but " + target.queue()
                    + " prefetches, and may do so when " + (enable.queue() == null ? "the start" : enable)
                    + " enables it: let a WAIT for " + by + " come before that ENABLE");
        }
    }

    /** A start lets its queue run through all that was written to it before. */
    private static void checkProgramsBefore(OrderRequest start) {
        ChainQueue queue = start.target();
        if (start.opcode() == Wqe.SEND_ENABLE && queue.prefetches() && queue.changes()) {
            throw new OrderException("a start enables " + queue + " with the WRs that a program before has there and"
                    + " changes: the queue may prefetch them too early");
        }
    }

    private static String describe(Modification modification) {
        return modification.target() + " is changed (" + modification.fieldName() + ") by " + modification.by();
    }
}
