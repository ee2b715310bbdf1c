package org.jvrpc.offload.build;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.AtomicRequest;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.TriggerRequest;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.verbs.MemoryRegion;

/** What a program has so far, and how it is ended: laid out, then proven. Behind the program's builder. One thread. */
public final class Draft {

    private final String name;
    private final ProgramMemory memory;
    private final Map<ChainQueue, List<WorkRequest>> sends = new LinkedHashMap<>();
    private final Map<ChainQueue, List<WorkRequest>> triggers = new LinkedHashMap<>();
    private final List<OrderRequest> starts = new ArrayList<>();
    private Recycler recycler;
    private Layout layout;
    private List<Modification> modifications;

    /** Begins a program whose constants and variables lie in this memory. */
    public Draft(String name, MemoryRegion memory) {
        this.name = name;
        this.memory = new ProgramMemory(memory);
    }

    /** Returns the program's name. */
    public String name() {
        return name;
    }

    /** Returns the program's own memory. */
    public ProgramMemory memory() {
        return memory;
    }

    /** Adds a WR that was in no queue. */
    public void add(ChainQueue queue, WorkRequest wr) {
        wr.place(queue, -1);
        Map<ChainQueue, List<WorkRequest>> lists = wr instanceof TriggerRequest ? triggers : sends;
        lists.computeIfAbsent(queue, q -> new ArrayList<>()).add(wr);
    }

    /** Returns the WRs that a queue has so far, without triggers; may be changed. */
    public List<WorkRequest> sends(ChainQueue queue) {
        return sends.computeIfAbsent(queue, q -> new ArrayList<>());
    }

    /** Returns the WRs of all send queues. */
    public Map<ChainQueue, List<WorkRequest>> allSends() {
        return sends;
    }

    /** Returns the receives of all queues. */
    public Map<ChainQueue, List<WorkRequest>> allTriggers() {
        return triggers;
    }

    /** Returns the ENABLEs that start the program; may be added to. */
    public List<OrderRequest> starts() {
        return starts;
    }

    /** Makes it a recycled program. */
    public Recycler recycle() {
        if (recycler != null) {
            throw new IllegalStateException("program " + name + " is recycled already");
        }
        recycler = new Recycler(this);
        return recycler;
    }

    /** Returns whether its rings run again and again. */
    public boolean isRecycled() {
        return recycler != null;
    }

    /** Returns the indices that each request brings. */
    public List<LapIndex> lapIndices() {
        return recycler == null ? List.of() : recycler.lapIndices();
    }

    /** Returns true for a WR that hands out the indices of a recycled program. */
    boolean isUpdate(WorkRequest by, WorkRequest target) {
        return recycler != null && recycler.isUpdate(by, target);
    }

    /**
     * Gives every WR its block and what it counts, then proves the order.
     *
     * @param inOrder false for tests of what the proof is good for
     * @return which WR changes which
     */
    public List<Modification> finish(boolean inOrder) {
        fillInResults();
        layout = new Layout(this);
        if (recycler == null) {
            layout.place();
        } else {
            recycler.finish(layout);
        }
        modifications = modifications();
        sends.values().forEach(wrs -> wrs.forEach(Draft::check));
        triggers.values().forEach(wrs -> wrs.forEach(Draft::check));
        OrderCheck order = new OrderCheck(this, modifications);
        if (inOrder) {
            order.run();
        }
        if (inOrder && recycler != null) {
            recycler.check(order);
        }
        return modifications;
    }

    /** Has the queues and CQs remember what the finished program takes of them. */
    public void promise() {
        layout.promise();
        modifications.forEach(modification -> modification.target().queue().markChanging());
    }

    private List<Modification> modifications() {
        List<Modification> all = new ArrayList<>();
        for (Map<ChainQueue, List<WorkRequest>> lists : List.of(sends, triggers)) {
            for (List<WorkRequest> wrs : lists.values()) {
                for (WorkRequest by : wrs) {
                    for (Place place : by.changes()) {
                        if (place.wr() != null) {
                            checkTarget(by, place.wr());
                            all.add(new Modification(by, place.wr(), place));
                        }
                    }
                }
            }
        }
        return all;
    }

    private void checkTarget(WorkRequest by, WorkRequest target) {
        ChainQueue queue = target.queue();
        if (queue == null || !sends.getOrDefault(queue, List.of()).contains(target)) {
            throw new OrderException(by + " changes " + target.verb() + " of queue " + queue
                    + ", which is no WR of the program " + name);
        }
    }

    private void fillInResults() {
        for (List<WorkRequest> wrs : sends.values()) {
            for (WorkRequest wr : wrs) {
                if (wr instanceof AtomicRequest atomic && !atomic.hasResult()) {
                    atomic.result(memory.scratch().slice(0, 8));
                }
            }
        }
    }

    private static void check(WorkRequest wr) {
        String problem = wr.problem();
        if (problem == null && wr instanceof AtomicRequest atomic) {
            problem = atomic.alignmentProblem();
        }
        if (problem != null) {
            throw new IllegalArgumentException(wr + ": " + problem);
        }
    }
}
