package org.jvrpc.offload.lookup;

import java.util.function.Function;
import org.jvrpc.offload.Program;

/**
 * The lookups that there are programs for. {@link #LIST_WALK_BREAK} and {@link #ARRAY_SEARCH} are not for hosts whose
 * queues {@linkplain org.jvrpc.offload.queue.ChainQueue#prefetches() prefetch}, which refuse their clients.
 */
public enum LookupKind {

    /** A key in one of two buckets, which one queue reads one after the other. */
    HASH_GET(1, 16, 4, HashGet.REQUEST_BYTES, HashGet::sequential, HashGet::once),
    /** A key in one of the first 8 nodes of a list; the walk goes on where it is found, as published. */
    LIST_WALK(1, 128, 16, ListWalkBreak.REQUEST_BYTES, ListWalk::recycled, ListWalk::once),
    /** The same; the walk ends where it is found. */
    LIST_WALK_BREAK(1, 32, 4, ListWalkBreak.REQUEST_BYTES, ListWalkBreak::recycled, ListWalkBreak::once),
    /** A key in one of two buckets, each of which a queue of its own reads. */
    HASH_GET_PARALLEL(2, 32, 4, HashGet.REQUEST_BYTES, HashGetParallel::recycled, HashGetParallel::once),
    /** A key among 8 side by side. */
    ARRAY_SEARCH(1, 32, 4, ArraySearch.REQUEST_BYTES, ArraySearch::recycled, ArraySearch::once);

    private final int workers;
    private final int workerBlocks;
    private final int answerBlocks;
    private final int requestBytes;
    private final Function<LookupQueues, Program> recycled;
    private final Function<LookupQueues, Program> once;

    LookupKind(
            int workers,
            int workerBlocks,
            int answerBlocks,
            int requestBytes,
            Function<LookupQueues, Program> recycled,
            Function<LookupQueues, Program> once) {
        this.workers = workers;
        this.workerBlocks = workerBlocks;
        this.answerBlocks = answerBlocks;
        this.requestBytes = requestBytes;
        this.recycled = recycled;
        this.once = once;
    }

    /** Returns how many loopback queues the program uses. */
    public int workers() {
        return workers;
    }

    /**
     * Returns the blocks of a worker's ring, which holds a lap.
     *
     * @param prefetches true for queues that prefetch, where a lap has more ENABLEs
     */
    int workerBlocks(boolean prefetches) {
        return prefetches ? 2 * workerBlocks : workerBlocks;
    }

    /** Returns the blocks of the ring of answers, which holds a lap. */
    int answerBlocks() {
        return answerBlocks;
    }

    /** Returns how long a request is, in bytes. */
    public int requestBytes() {
        return requestBytes;
    }

    /** Builds the program that runs again and again without a CPU. */
    public Program recycled(LookupQueues queues) {
        return recycled.apply(queues);
    }

    /** Builds the program for one request. */
    public Program once(LookupQueues queues) {
        return once.apply(queues);
    }
}
