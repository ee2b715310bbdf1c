package org.jvrpc.offload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.build.Draft;
import org.jvrpc.offload.build.Layout;
import org.jvrpc.offload.build.ProgramMemory;
import org.jvrpc.offload.listing.Disassembler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.TriggerRequest;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.verbs.ReceiveRequest;

/** WRs in their places, proven to be fetched after they are changed. Made by {@link ProgramBuilder}. One thread. */
public final class Program {

    private final String name;
    private final ProgramMemory memory;
    private final boolean recycled;
    private final Map<ChainQueue, List<WorkRequest>> sends = new LinkedHashMap<>();
    private final Map<ChainQueue, List<WorkRequest>> triggers = new LinkedHashMap<>();
    private final List<OrderRequest> starts;
    private final List<Modification> modifications;
    private final List<Place> names;
    private final List<LapIndex> lapIndices;

    Program(Draft draft, List<Modification> modifications, List<Place> names) {
        this.name = draft.name();
        this.memory = draft.memory();
        this.recycled = draft.isRecycled();
        draft.allSends().forEach((queue, wrs) -> sends.put(queue, List.copyOf(wrs)));
        draft.allTriggers().forEach((queue, wrs) -> triggers.put(queue, List.copyOf(wrs)));
        this.starts = List.copyOf(draft.starts());
        this.modifications = List.copyOf(modifications);
        List<Place> all = new ArrayList<>(memory.names());
        all.addAll(names);
        this.names = List.copyOf(all);
        this.lapIndices = draft.lapIndices();
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns whether its rings run again and again. */
    public boolean isRecycled() {
        return recycled;
    }

    /** Returns the indices that each request brings, in the order of its bytes; none unless it was built so. */
    public List<LapIndex> lapIndices() {
        return lapIndices;
    }

    /** Returns the queues that it has WRs in, in the order in which they were given some; those of triggers last. */
    public List<ChainQueue> queues() {
        List<ChainQueue> queues = new ArrayList<>(sends.keySet());
        triggers.keySet().stream().filter(queue -> !sends.containsKey(queue)).forEach(queues::add);
        return queues;
    }

    /** Returns the WRs of a send queue, in order. */
    public List<WorkRequest> sends(ChainQueue queue) {
        return sends.getOrDefault(queue, List.of());
    }

    /** Returns the receives of a queue, in order. */
    public List<WorkRequest> triggers(ChainQueue queue) {
        return triggers.getOrDefault(queue, List.of());
    }

    /** Returns which WR changes which. */
    public List<Modification> modifications() {
        return modifications;
    }

    /** Returns the memory that has a name. */
    public List<Place> names() {
        return names;
    }

    /** Counts all its WRs; of a recycled program those of one lap. */
    public Counts counts() {
        List<WorkRequest> all = new ArrayList<>();
        sends.values().forEach(all::addAll);
        triggers.values().forEach(all::addAll);
        return Counts.of(all);
    }

    /** Returns the WQEs of a send queue as big-endian longs, whole blocks. */
    public long[] words(ChainQueue queue) {
        List<WorkRequest> wrs = sends(queue);
        long[] words = new long[Layout.blocks(wrs) * Wqe.BLOCK / 8];
        int at = 0;
        for (WorkRequest wr : wrs) {
            long[] wqe = wr.words();
            System.arraycopy(wqe, 0, words, at, wqe.length);
            at += wqe.length;
        }
        return words;
    }

    /**
     * Writes the WQEs into the rings and the constants into memory, posts the receives, then what unmanaged queues
     * have, which runs at once. Managed queues wait for {@link #kick}, or for what enables them.
     *
     * @throws IllegalStateException when a queue is full, or is a sketch
     */
    public void load() {
        memory.load();
        sends.forEach((queue, wrs) -> {
            if (queue.isManaged() && !wrs.isEmpty()) {
                queue.qp().load(wrs.get(0).block() & queue.blocks() - 1, words(queue));
            }
        });
        triggers.forEach(this::post);
        sends.forEach((queue, wrs) -> {
            if (!queue.isManaged()) {
                wrs.forEach(wr -> post(queue.qp(), wr.words(), wr.toString()));
            }
        });
    }

    private void post(ChainQueue queue, List<WorkRequest> receives) {
        int laps = recycled ? Math.max(1, queue.receives() / receives.size()) : 1;
        ReceiveRequest[] requests = new ReceiveRequest[receives.size() * laps];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = ((TriggerRequest) receives.get(i % receives.size())).request();
        }
        int accepted = queue.qp().prepareReceive(requests).execute();
        if (accepted != requests.length) {
            throw new IllegalStateException("the receive queue of " + queue + " is full: receives=" + requests.length
                    + " accepted=" + accepted);
        }
    }

    private static void post(Mlx5QueuePair qp, long[] words, String wr) {
        if (!qp.post(0, words)) {
            throw new IllegalStateException("send queue is full: qp=" + qp.number() + " wr=" + wr);
        }
    }

    /**
     * Starts it: posts its starts to an unmanaged queue, whose CQ gets a completion for each.
     *
     * @throws IllegalStateException when that queue is full: poll its CQ
     */
    public void kick(Mlx5QueuePair master) {
        for (OrderRequest start : starts) {
            start.signalled();
            post(master, start.startWords(), start.verb());
        }
    }

    /** Returns the listing: each WR with its operands, flags, and what it changes. */
    @Override
    public String toString() {
        return Disassembler.list(this);
    }
}
