package org.jvrpc.offload.build;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Modification;
import org.jvrpc.offload.NopRequest;
import org.jvrpc.offload.OrderException;
import org.jvrpc.offload.OrderRequest;
import org.jvrpc.offload.TriggerRequest;
import org.jvrpc.offload.WorkRequest;

/**
 * Proves for each WR that another changes that it is fetched after the change, by three orders: a queue runs its WRs
 * one after the other, a WAIT ends after what it waits for, a managed queue fetches a WR after an ENABLE that allows
 * it.
 *
 * <p>What surely happened before a WR begins, and before it is complete, is a set of WRs that grows until nothing is
 * added: where one of several ENABLEs may be the one that allows a WR, only what happened before all of them counts. A
 * WAIT that is dormant or changed by others than the {@link Recycler} orders nothing, an ENABLE that is may allow all.
 * What a NOP of several blocks may jump over is taken to run, so that a jump must not go over a WAIT or ENABLE. A
 * recycled program is looked at for two laps: a change and the WR that it changes must be in order within the lap, and
 * in order from each lap to the next.
 *
 * <p>Difference: the device fetches a WQE of a managed queue when it executes it, and executes each to its end. A card
 * may fetch all that an ENABLE allows, and begin a WQE while a READ is under way; whether a program keeps that order,
 * too, is for the doorbell order of its author: WAIT, then ENABLE, before every WQE that is changed.
 */
final class OrderCheck {

    private final Draft program;
    private final List<Modification> modifications;
    private final int laps;
    private final List<WorkRequest> wrs = new ArrayList<>();
    private final Map<WorkRequest, Integer> ids = new HashMap<>();
    private final List<OrderRequest> enables = new ArrayList<>();
    /** WAITs and ENABLEs that others change into something else, or whose numbers they choose. */
    private final Set<WorkRequest> uncertain = new HashSet<>();
    private BitSet[] begun;
    private BitSet[] complete;
    private int[] previous;

    OrderCheck(Draft program, List<Modification> modifications) {
        this.program = program;
        this.modifications = modifications;
        this.laps = program.isRecycled() ? 2 : 1;
    }

    void run() {
        number();
        checkThatAllRun();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int node = 0; node < begun.length; node++) {
                grew |= grow(node);
            }
        }
        for (Modification modification : modifications) {
            check(modification);
        }
    }

    /** Returns true when a WR is surely complete before another begins. */
    boolean isBefore(WorkRequest first, int firstLap, WorkRequest second, int secondLap) {
        return begun[node(second, secondLap)].get(node(first, firstLap));
    }

    private void number() {
        program.allSends().values().forEach(wrs::addAll);
        program.allTriggers().values().forEach(wrs::addAll);
        for (Modification modification : modifications) {
            if (!program.isUpdate(modification.by())) {
                uncertain.add(modification.target());
            }
        }
        for (int i = 0; i < wrs.size(); i++) {
            ids.put(wrs.get(i), i);
            if (wrs.get(i) instanceof OrderRequest order && !order.isWait()) {
                enables.add(order);
            }
        }
        int nodes = wrs.size() * laps;
        begun = new BitSet[nodes];
        complete = new BitSet[nodes];
        previous = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            begun[node] = new BitSet(nodes);
            complete[node] = new BitSet(nodes);
        }
        program.allSends().values().forEach(this::link);
        program.allTriggers().values().forEach(this::link);
    }

    private void link(List<WorkRequest> queue) {
        int last = -1;
        for (int lap = 0; lap < laps; lap++) {
            for (WorkRequest wr : queue) {
                previous[node(wr, lap)] = last;
                last = node(wr, lap);
            }
        }
    }

    private int node(WorkRequest wr, int lap) {
        return lap * wrs.size() + ids.get(wr);
    }

    private boolean grow(int node) {
        WorkRequest wr = wrs.get(node % wrs.size());
        int lap = node / wrs.size();
        int before = begun[node].cardinality() + complete[node].cardinality();
        if (previous[node] >= 0) {
            begun[node].or(complete[previous[node]]);
        }
        boolean managed = wr instanceof TriggerRequest ? wr.queue().isManagedReceive() : wr.queue().isManaged();
        if (managed) {
            begun[node].or(beforeAllEnables(wr, lap));
        }
        complete[node].or(begun[node]);
        complete[node].set(node);
        boolean waits = !wr.isDormant() && !uncertain.contains(wr);
        if (waits && wr instanceof OrderRequest wait && wait.isWait() && wait.subject() != null) {
            int subjectLap = lap + wait.laps();
            if (subjectLap >= 0 && subjectLap < laps && ids.containsKey(wait.subject())) {
                complete[node].or(complete[node(wait.subject(), subjectLap)]);
            }
        }
        return begun[node].cardinality() + complete[node].cardinality() > before;
    }

    private BitSet beforeAllEnables(WorkRequest wr, int lap) {
        for (OrderRequest start : program.starts()) {
            if (allows(start, 0, wr, lap)) {
                return new BitSet();
            }
        }
        BitSet all = null;
        for (OrderRequest enable : enables) {
            for (int enableLap = 0; enableLap < laps; enableLap++) {
                if (allows(enable, enableLap, wr, lap)) {
                    BitSet one = complete[node(enable, enableLap)];
                    if (all == null) {
                        all = (BitSet) one.clone();
                    } else {
                        all.and(one);
                    }
                }
            }
        }
        return all == null ? new BitSet() : all;
    }

    private boolean allows(OrderRequest enable, int enableLap, WorkRequest wr, int lap) {
        boolean receive = wr instanceof TriggerRequest;
        if (enable.target() != wr.queue() || receive != (enable.opcode() == Wqe.RECV_ENABLE)) {
            return false;
        }
        if (uncertain.contains(enable)) {
            return true;
        }
        int limit = enable.index() + enableLap * enable.increment();
        int perLap = !program.isRecycled() ? 0
                : receive ? program.allTriggers().get(wr.queue()).size() : wr.queue().blocks();
        return limit > wr.block() + lap * perLap;
    }

    private void checkThatAllRun() {
        for (WorkRequest wr : wrs) {
            if (wr instanceof NopRequest nop && nop.isPad()) {
                continue; // runs with the next lap at the latest
            }
            boolean trigger = wr instanceof TriggerRequest;
            boolean managed = trigger ? wr.queue().isManagedReceive() : wr.queue().isManaged();
            boolean allowed = !managed || program.starts().stream().anyMatch(start -> allows(start, 0, wr, 0))
                    || enables.stream().anyMatch(enable -> allows(enable, 0, wr, 0));
            if (!allowed) {
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
        boolean early = isBefore(by, 0, target, 0);
        boolean late = isBefore(target, 0, by, 0);
        if (laps == 1) {
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

    private static String describe(Modification modification) {
        return modification.target() + " is changed (" + modification.fieldName() + ") by " + modification.by();
    }
}
