package org.jvrpc.offload.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.AtomicRequest;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.offload.wr.NopRequest;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Makes a program's rings run for ever. Every WAIT and ENABLE counts what happened since its queue was made, so that
 * each lap needs other numbers than the one before. They lie side by side as little-endian fields of a word or a few
 * (see {@link IndexWords}); once a lap, a masked fetch-and-add advances all fields of a word and leaves the old word
 * behind the new ones; a READ scatters the two, byte by byte in the WQEs' opposite order, over the producer indices. A
 * WR ahead of this update gets the number of its next lap, one behind it that of this lap.
 *
 * <p>Each ring holds exactly one lap, a NOP in the rest; the last WRs of a lap are a WAIT and the ENABLE of the next
 * lap.
 *
 * <p>In a queue that {@linkplain ChainQueue#prefetches() prefetches}, numbers must be there before an ENABLE allows the
 * WRs that they are for, the WAIT and ENABLE behind the update among them. So the update is in two: where the
 * {@linkplain #lapBeginsHere lap begins}, the words are advanced, and WRs behind the update in its queue get their
 * numbers, with a WAIT for that; the program goes on with an ENABLE of the {@linkplain Wr#enableStage() stage} that
 * these are in. Where the update is made, WRs ahead of it get the numbers of their next lap, and those of other queues
 * theirs, as other queues may be in the lap before when a lap begins. That this runs on a card is not proven.
 *
 * <p>Whoever starts each lap by a message can bring the numbers in it, which saves the update:
 * {@link #indicesFromRequest}.
 */
public final class Recycler {

    private final Draft program;
    private final List<IndexWords.Cursor> cursors = new ArrayList<>();
    private final List<WorkRequest> ahead = new ArrayList<>();
    private final AtomicRequest firstAdd;
    private final Place state;
    private final IndexWords words;
    /** In a queue that prefetches: complete once WRs behind the update have their numbers. */
    private final WorkRequest handedOut = Wr.nop().signalled().comment("indices of this lap are handed out");
    private final OrderRequest whenHandedOut = (OrderRequest) Wr.await(handedOut);
    private ChainQueue home;
    private WorkRequest last;
    private boolean inTwo;
    /** The last WR ahead of the first part of the update; null at the beginning of the queue. */
    private WorkRequest beforeLap;
    private List<WorkRequest> handOut = List.of();
    private List<WorkRequest> update = List.of();
    private int[] lastIndices = {};
    /** What brings the indices in place of an update, or null. */
    private WorkRequest trigger;
    private OrderRequest await;
    private WorkRequest copy;
    private List<OrderRequest> brought = List.of();

    Recycler(Draft program) {
        this.program = program;
        this.words = new IndexWords();
        this.state = program.memory().constant("indices", IndexWords.BYTES, 16, words::initial);
        this.firstAdd = Wr.maskedFetchAndAdd(state.slice(0, 8), null, words.addAndBoundary(0));
    }

    /**
     * Has each request bring the indices of its lap, in place of an update. Its last bytes are to go, 4 for each, to
     * memory from which {@code copy} writes them over the index of {@code await}, behind which that runs, and over the
     * indices of {@code enables}; {@link #lapIndices()} says what they must be.
     *
     * <p>A requester that brings others has the WRs of this program run in another order, up to 32767 blocks of a
     * queue each time that an ENABLE runs, and gets wrong answers or none; the limit of the group's rate bounds what
     * that costs. It reaches no memory by that: addresses, lengths and
     * keys are not among what an index chooses. So the program should be one requester's own, with a protection domain
     * of its own.
     *
     * @param trigger the request, which gets places for the indices of {@code enables} behind those that it has
     * @param await waits for it
     * @param copy hands {@code await} its next index
     * @param enables all other WRs that need another index each lap
     */
    public void indicesFromRequest(WorkRequest trigger, WorkRequest await, WorkRequest copy, WorkRequest... enables) {
        if (this.trigger != null) {
            throw new IllegalStateException(this.trigger + " brings the indices already");
        }
        this.trigger = trigger;
        this.await = (OrderRequest) await;
        this.copy = copy;
        this.brought = Arrays.stream(enables).map(OrderRequest.class::cast).toList();
        brought.forEach(enable -> trigger.more(enable.field(Field.PRODUCER_INDEX)));
    }

    /** Returns the indices that each request brings, in order; for a finished program. */
    List<LapIndex> lapIndices() {
        List<LapIndex> indices = new ArrayList<>();
        if (trigger != null) {
            indices.add(new LapIndex(await.index() + await.increment(), await.increment()));
            brought.forEach(order -> indices.add(new LapIndex(order.index(), order.increment())));
        }
        return indices;
    }

    /** Has the update made here: behind the WRs that the queue has so far. */
    public void updateHere(ChainQueue queue) {
        if (home != null) {
            throw new IllegalStateException("the update is made in " + home + " already");
        }
        home = queue;
        List<WorkRequest> sends = program.sends(queue);
        if (sends.isEmpty()) {
            throw new IllegalArgumentException("the update needs a WR before it in " + queue);
        }
        last = sends.get(sends.size() - 1);
    }

    /**
     * Says that a lap begins behind the WRs that the queue of the update has so far, in a queue that prefetches: here
     * the indices are advanced, and what is behind the update in this queue gets them. Nothing in other queues.
     */
    public void lapBeginsHere(ChainQueue queue) {
        inTwo = queue.prefetches();
        List<WorkRequest> sends = program.sends(queue);
        beforeLap = sends.isEmpty() ? null : sends.get(sends.size() - 1);
    }

    /** Says that a WR of another queue runs ahead of the update in its lap; without it, it runs behind. */
    public void ahead(WorkRequest order) {
        ahead.add(order);
    }

    /**
     * Advances an address once a lap: the low bytes of a remote or data address, big-endian.
     *
     * @param bytes 1 to 4 that are advanced; what they carry beyond is lost, so that they must not overflow
     * @param initial the low bytes in the first lap
     * @param increment added each lap, may be negative
     * @param next gets the next lap's, for a WR ahead of the update; may be null
     * @param current gets this lap's, for a WR behind the update; may be null
     * @return the bytes of the increment in the WQE that adds it, big-endian, for WRs that choose it
     */
    public Place cursor(int bytes, long initial, long increment, Place next, Place current) {
        if (bytes < 1 || bytes > 4 || next != null && next.length() != bytes
                || current != null && current.length() != bytes) {
            throw new IllegalArgumentException("a cursor has 1 to 4 bytes, as its places: bytes=" + bytes
                    + " next=" + next + " current=" + current);
        }
        IndexWords.Cursor cursor = new IndexWords.Cursor(bytes, initial, increment, next, current);
        int at = cursors.stream().mapToInt(IndexWords.Cursor::bytes).sum();
        if (at + bytes > 8) {
            throw new IllegalArgumentException("the cursors of a program have 8 bytes together: bytes=" + (at + bytes));
        }
        cursors.add(cursor);
        return firstAdd.field(Field.SWAP_OR_ADD).slice(8 - at - bytes, bytes);
    }

    /** Makes the update's WRs. Their number depends on the producer indices, and these on the layout: repeats. */
    void finish(Layout layout) {
        if (trigger != null) {
            if (home != null || !cursors.isEmpty()) {
                throw new IllegalStateException("program " + program.name() + " gets its indices from requests: update="
                        + (home != null) + " cursors=" + cursors.size());
            }
            layout.place();
            for (OrderRequest order : orders()) {
                if (order.increment() != 0 && order != await && !brought.contains(order)) {
                    throw new IllegalStateException(order + " needs another index each lap, which no request brings");
                }
            }
            return;
        }
        if (home == null) {
            throw new IllegalStateException("program " + program.name() + " is recycled, but updates no indices");
        }
        for (int round = 0; round < 8; round++) {
            List<WorkRequest> queue = program.sends(home);
            removePads();
            queue.removeAll(handOut);
            queue.removeAll(update);
            makeUpdate();
            queue.addAll(queue.indexOf(last) + 1, update);
            queue.addAll(queue.indexOf(beforeLap) + 1, handOut);
            layout.place();
            int[] values = indices();
            if (Arrays.equals(values, lastIndices)) {
                return; // the update is made of these
            }
            lastIndices = values;
        }
        throw new IllegalStateException("the update of program " + program.name() + " finds no layout");
    }

    private void removePads() {
        program.allSends().values().forEach(wrs -> wrs.removeIf(wr -> wr instanceof NopRequest nop && nop.isPad()));
    }

    /** Returns true where the target gets the index of a lap by it. */
    boolean isUpdate(WorkRequest by, WorkRequest target) {
        return handOut.contains(by) || update.contains(by)
                || trigger != null && (by == trigger ? brought.contains(target) : by == copy && target == await);
    }

    private int[] indices() {
        return orders().stream().mapToInt(OrderRequest::index).toArray();
    }

    private List<OrderRequest> orders() {
        List<OrderRequest> orders = new ArrayList<>();
        for (List<WorkRequest> wrs : program.allSends().values()) {
            for (WorkRequest wr : wrs) {
                if (wr instanceof OrderRequest order) {
                    orders.add(order);
                }
            }
        }
        return orders;
    }

    private boolean isAhead(OrderRequest order) {
        List<WorkRequest> queue = program.sends(home);
        return order == whenHandedOut
                || (order.queue() == home ? queue.indexOf(order) <= queue.indexOf(last) : ahead.contains(order));
    }

    private void makeUpdate() {
        words.clear();
        cursors.forEach(words::add);
        List<OrderRequest> wideFirst = new ArrayList<>(orders());
        if (inTwo) {
            wideFirst.add(whenHandedOut);
        }
        wideFirst.sort((a, b) -> b.width() - a.width());
        for (OrderRequest order : wideFirst) {
            if (order.increment() != 0) {
                boolean ahead = isAhead(order);
                words.add(order, ahead, ahead || order.queue() != home);
            }
        }
        int count = words.pack();
        List<WorkRequest> adds = new ArrayList<>();
        for (int word = 0; word < count; word++) {
            AtomicRequest add = word == 0 ? firstAdd
                    : Wr.maskedFetchAndAdd(state.slice(8 * word, 8), null, words.addAndBoundary(word));
            add.result(words.oldAt(word) < 0 ? program.memory().scratch().slice(0, 8)
                    : state.slice(words.oldAt(word), 8));
            adds.add(add.fenced().comment("advances " + words.describe(word)));
        }
        Place unwanted = program.memory().scratch();
        if (inTwo) {
            handOut = adds;
            handOut.addAll(reads(words.scatter(unwanted, false), "hands the indices of this lap out"));
            handOut.add(handedOut);
            handOut.add(whenHandedOut);
            update = reads(words.scatter(unwanted, true), "hands the other indices out");
        } else {
            update = adds;
            update.addAll(reads(words.scatter(unwanted), "hands the indices out"));
        }
    }

    private List<WorkRequest> reads(List<IndexWords.Scatter> scatters, String comment) {
        List<WorkRequest> reads = new ArrayList<>();
        for (IndexWords.Scatter scatter : scatters) {
            reads.add(Wr.read(state.slice(scatter.from(), scatter.length()), scatter.into())
                    .fenced().comment(comment));
        }
        return reads;
    }

    /** Says when a WR of another queue is not where it was said to be. */
    void check(OrderCheck order) {
        if (trigger != null) {
            for (OrderRequest wr : brought) { // also one that runs ahead of each request: that it would be a lap late
                if (!order.isBefore(trigger, 0, wr, 0)) {
                    throw new OrderException(wr + " is not behind " + trigger + ": its index would be a lap wrong");
                }
            }
            return;
        }
        WorkRequest scatter = update.get(update.size() - 1);
        for (OrderRequest wr : orders()) {
            boolean isAhead = isAhead(wr);
            if (wr.increment() != 0 && wr.queue() != home && !(isAhead ? order.isBefore(wr, 0, scatter, 0)
                    : order.isBefore(scatter, 0, wr, 0))) {
                throw new OrderException(wr + " is not " + (isAhead ? "ahead of" : "behind") + " the update by "
                        + scatter + ": its index would be a lap wrong");
            }
        }
    }
}
