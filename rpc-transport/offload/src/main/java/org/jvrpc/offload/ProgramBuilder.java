package org.jvrpc.offload;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jvrpc.offload.build.Draft;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.construct.Loops;
import org.jvrpc.offload.construct.Mov;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Assembles a program of WRs over queues. WRs are added to the queues in the order in which these run them; what a WR
 * changes of another is said by naming the other's fields as places. {@link #build()} gives every WR its block, works
 * out what WAIT and ENABLE count, and refuses programs whose WRs would be fetched before others have changed them.
 * Where a queue {@linkplain ChainQueue#prefetches() prefetches}, WRs that are changed are to be in a
 * {@linkplain #stage(ChainQueue, WorkRequest) stage} behind the change.
 *
 * <p>Constructs count as in the paper's Table 2: see {@link Conditions}, {@link Loops} and {@link Mov}. One thread.
 */
public final class ProgramBuilder {

    private final Draft draft;
    private final List<Place> names = new ArrayList<>();
    private boolean built;

    /**
     * Begins a program.
     *
     * @param memory for constants and variables, with all rights; keys of the domain that executes the program
     */
    public ProgramBuilder(String name, MemoryRegion memory) {
        this.draft = new Draft(name, memory);
    }

    /** Has listings show these queues first, in this order. */
    public ProgramBuilder over(ChainQueue... queues) {
        for (ChainQueue queue : queues) {
            draft.sends(queue);
        }
        return this;
    }

    /** Adds a WR to the end of a queue; a trigger to the end of its receive queue. Returns it. */
    public WorkRequest add(ChainQueue queue, WorkRequest wr) {
        checkOpen();
        if (wr.queue() != null) {
            throw new IllegalArgumentException(wr + " was added before");
        }
        draft.add(queue, wr);
        return wr;
    }

    /** Says what {@link Program#kick} does: one of the ENABLEs that {@link Wr} makes, in no queue. */
    public void start(WorkRequest enable) {
        checkOpen();
        if (!(enable instanceof OrderRequest order) || order.isWait() || enable.queue() != null) {
            throw new IllegalArgumentException("a start is an ENABLE that is in no queue: " + enable);
        }
        draft.starts().add(order);
    }

    /** Has {@link Program#kick} let a queue run all WRs that it has so far, or its first stage if there are several. */
    public void startAll(ChainQueue queue) {
        start(Wr.enable(endOfFirstStage(queue)));
    }

    /** Returns the ENABLE that ends the first stage of a queue, or the last WR that it has so far. */
    public WorkRequest endOfFirstStage(ChainQueue queue) {
        List<WorkRequest> wrs = draft.sends(queue);
        return wrs.stream().filter(wr -> wr instanceof OrderRequest order && order.isStage()).findFirst()
                .orElse(wrs.get(wrs.size() - 1));
    }

    /**
     * Ends a stage of a queue that {@linkplain ChainQueue#prefetches() prefetches}, by an ENABLE of the next: for what
     * is behind a WAIT, and changed by what that waits for. Nothing for other queues, which need no such ENABLE.
     */
    public List<WorkRequest> stage(ChainQueue queue) {
        return queue.prefetches() ? List.of(add(queue, Wr.enableStage())) : List.of();
    }

    /** The same with a WAIT before it. @param change what changes WRs of the next stage; is made signalled for it */
    public List<WorkRequest> stage(ChainQueue queue, WorkRequest change) {
        return queue.prefetches()
                ? List.of(add(queue, Wr.await(change.signalled())), add(queue, Wr.enableStage())) : List.of();
    }

    /** Makes this a recycled program: its rings are run again and again, each of them once a lap. */
    public Recycler recycle() {
        checkOpen();
        return draft.recycle();
    }

    /** Takes memory of the program, zeroed. @param alignment in bytes, a power of two */
    public Place variable(String variable, int bytes, int alignment) {
        return draft.memory().take(variable, bytes, alignment);
    }

    /** Takes memory of the program that {@link Program#load()} fills. */
    public Place constant(String constant, byte[] bytes) {
        byte[] copy = bytes.clone();
        return draft.memory().constant(constant, copy.length, 8, () -> copy);
    }

    /** The same for a big-endian word. */
    public Place constant(String constant, long word) {
        return constant(constant, ByteBuffer.allocate(8).putLong(word).array());
    }

    /** Memory that holds an address, big-endian, once the program is loaded. */
    public Place pointer(String constant, Place to) {
        return draft.memory().constant(constant, 8, 8, () -> ByteBuffer.allocate(8).putLong(to.address()).array());
    }

    /** Memory that holds what a dormant WR is loaded as: 8 bytes that restore it. */
    public Place sleepingImage(WorkRequest wr) {
        return draft.memory().constant("sleeping image of " + label(wr), 8, 8,
                () -> ByteBuffer.allocate(8).putLong(wr.words()[0]).array());
    }

    /**
     * Memory that holds the first 12 bytes of a WR as it is when turned on: a WRITE of them turns it on.
     *
     * @param signalled false to take its completion away
     */
    public Place liveControl(WorkRequest wr, boolean signalled) {
        return draft.memory().constant("live ctrl of " + label(wr), 12, 8, () -> wr.liveControl(signalled));
    }

    /** Takes memory that {@link Program#load()} fills with bytes that are known only then. */
    public Place lateConstant(String constant, int length, int alignment, Supplier<byte[]> bytes) {
        return draft.memory().constant(constant, length, alignment, bytes);
    }

    private static String label(WorkRequest wr) {
        return wr.comment().isEmpty() ? wr.verb() : wr.comment();
    }

    /** Gives memory that is not the program's a name in listings. */
    public Place name(Place place) {
        names.add(place);
        return place;
    }

    /** Returns 64 bytes for results that nobody wants. */
    public Place scratch() {
        return draft.memory().scratch();
    }

    private void checkOpen() {
        if (built) {
            throw new IllegalStateException("program " + draft.name() + " is built");
        }
    }

    /**
     * Ends the program.
     *
     * @throws OrderException when a WR would be fetched before it is changed, or never run; the message names it
     * @throws IllegalArgumentException when a WR cannot be, or a queue is too short; the message names it
     */
    public Program build() {
        return build(true);
    }

    /** @param inOrder false for tests of what the check is good for */
    public Program build(boolean inOrder) {
        checkOpen();
        built = true;
        List<Modification> modifications = draft.finish(inOrder);
        Program program = new Program(draft, modifications, names);
        draft.promise();
        return program;
    }
}
