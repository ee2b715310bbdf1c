package org.jvrpc.offload.build;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.wr.AtomicRequest;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.TriggerRequest;
import org.jvrpc.offload.wr.WorkRequest;

/**
 * What surely happened before a WR begins, and before it is complete: sets of WRs that grow until nothing is added.
 * Where one of several ENABLEs may be the one that allows a WR, only what happened before all of them counts. A WAIT
 * that is dormant or changed by others than the {@link Recycler} orders nothing, an ENABLE that is may allow all. What
 * a NOP of several blocks may jump over is taken to run. A recycled program is looked at for two laps.
 *
 * <p>A device of the first kind executes each WR to its end before the next of its queue, as the software RNIC does. A
 * device of the second kind, a card, begins a WR while others of its queue are under way: such a one is surely complete
 * for what is behind a WAIT for it or for a later one, since a queue's completions come in order, and for fenced WRs,
 * if it is a READ or an atomic or before one.
 */
final class HappensBefore {

    private final Draft program;
    private final boolean oneByOne;
    private final int laps;
    private final List<WorkRequest> wrs = new ArrayList<>();
    private final Map<WorkRequest, Integer> ids = new HashMap<>();
    private final List<OrderRequest> enables = new ArrayList<>();
    /** WAITs and ENABLEs that others change into something else, or whose numbers they choose. */
    private final Set<WorkRequest> uncertain = new HashSet<>();
    private final BitSet[] begun;
    private final BitSet[] complete;
    /** By node, before it in its queue: any, the latest that is no WAIT or ENABLE, the latest READ or atomic; or -1. */
    private final int[][] previous;

    /** @param oneByOne true for a device that ends each WR of a queue before it begins the next */
    HappensBefore(Draft program, List<Modification> modifications, boolean oneByOne) {
        this.program = program;
        this.oneByOne = oneByOne;
        this.laps = program.isRecycled() ? 2 : 1;
        program.allSends().values().forEach(wrs::addAll);
        program.allTriggers().values().forEach(wrs::addAll);
        for (Modification modification : modifications) {
            if (!program.isUpdate(modification.by(), modification.target())) {
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
        previous = new int[nodes][];
        for (int node = 0; node < nodes; node++) {
            begun[node] = new BitSet(nodes);
            complete[node] = new BitSet(nodes);
        }
        program.allSends().values().forEach(this::link);
        program.allTriggers().values().forEach(this::link);
        close();
    }

    private void link(List<WorkRequest> queue) {
        int[] last = {-1, -1, -1};
        for (int lap = 0; lap < laps; lap++) {
            for (WorkRequest wr : queue) {
                int node = node(wr, lap);
                previous[node] = last.clone();
                last[0] = node;
                last[1] = wr instanceof OrderRequest ? last[1] : node;
                boolean fenceable = wr instanceof AtomicRequest || wr.opcode() == Wqe.RDMA_READ;
                last[2] = fenceable ? node : last[2];
            }
        }
    }

    private int node(WorkRequest wr, int lap) {
        return lap * wrs.size() + ids.get(wr);
    }

    private void close() {
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int node = 0; node < begun.length; node++) {
                grew |= grow(node);
            }
        }
    }

    private boolean grow(int node) {
        WorkRequest wr = wrs.get(node % wrs.size());
        int lap = node / wrs.size();
        int before = begun[node].cardinality() + complete[node].cardinality();
        boolean trigger = wr instanceof TriggerRequest;
        if (oneByOne || trigger) {
            add(begun[node], complete, previous[node][0]);
        } else {
            growInFlight(node, wr);
        }
        if (isManaged(wr)) {
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

    private void growInFlight(int node, WorkRequest wr) {
        int last = previous[node][0];
        add(begun[node], begun, last);
        if (last >= 0 && wrs.get(last % wrs.size()) instanceof OrderRequest) {
            begun[node].or(complete[last]); // WAITs and ENABLEs are done on the spot
        }
        if (!(wr instanceof OrderRequest)) {
            if (wr.isFenced()) {
                add(begun[node], complete, previous[node][2]);
            }
            add(complete[node], complete, previous[node][1]);
        }
    }

    private static void add(BitSet to, BitSet[] from, int node) {
        if (node >= 0) {
            to.or(from[node]);
        }
    }

    private static boolean isManaged(WorkRequest wr) {
        return wr instanceof TriggerRequest ? wr.queue().isManagedReceive() : wr.queue().isManaged();
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

    List<WorkRequest> wrs() {
        return wrs;
    }

    int laps() {
        return laps;
    }

    /** Returns the WRs that run in the first lap: a start allows them, or an ENABLE that is one of them. */
    Set<WorkRequest> running() {
        Set<WorkRequest> running = new HashSet<>();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (WorkRequest wr : wrs) {
                grew |= !running.contains(wr) && isAllowed(wr, running) && running.add(wr);
            }
        }
        return running;
    }

    private boolean isAllowed(WorkRequest wr, Set<WorkRequest> running) {
        return !isManaged(wr) || program.starts().stream().anyMatch(start -> allows(start, 0, wr, 0))
                || enables.stream().anyMatch(enable -> running.contains(enable) && allows(enable, 0, wr, 0));
    }

    /** Returns true when a WR is surely complete before another begins. */
    boolean isBefore(WorkRequest first, int firstLap, WorkRequest second, int secondLap) {
        return begun[node(second, secondLap)].get(node(first, firstLap));
    }

    /** Returns an ENABLE that may allow a WR before another is complete, or null. */
    WorkRequest earlyEnable(WorkRequest first, int firstLap, WorkRequest allowed, int allowedLap) {
        for (OrderRequest start : program.starts()) {
            if (allows(start, 0, allowed, allowedLap)) {
                return start;
            }
        }
        int change = node(first, firstLap);
        for (OrderRequest enable : enables) {
            for (int lap = 0; lap < laps; lap++) {
                if (allows(enable, lap, allowed, allowedLap) && !begun[node(enable, lap)].get(change)) {
                    return enable;
                }
            }
        }
        return null;
    }
}
