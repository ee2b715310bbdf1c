package org.jvrpc.offload.lookup;

import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.MemoryRegion;

/**
 * What a lookup's program is written for: the queues of one client, the memory that it reads, and the client's.
 *
 * @param workers loopback queues that do the search, as many as the program uses
 * @param control an unmanaged queue for programs for one request over workers that prefetch; else null
 * @param answers the queue connected to the client, whose receives are the requests
 * @param variables memory of the program's own
 * @param data what is searched
 * @param answer the client's memory for the value
 * @param done the client's 8 bytes that tell which request is answered
 */
public record LookupQueues(
        ChainQueue[] workers,
        ChainQueue control,
        ChainQueue answers,
        MemoryRegion variables,
        MemoryRegion data,
        Place answer,
        Place done) {

    ProgramBuilder begin(String name) {
        return new ProgramBuilder(name, variables);
    }

    /** Has a program for one request wait for it, unless the {@linkplain #startOnce control queue} does. */
    void awaitOnce(ProgramBuilder program, WorkRequest trigger) {
        if (!workers[0].prefetches()) {
            program.add(workers[0], Wr.await(trigger));
        }
    }

    /**
     * Has a program for one request, which is complete but for its receives, started. The start of a next program,
     * which the CPU makes when it likes, enables all that is in the first worker's queue; where that prefetches, it
     * would do so before the request changed WRs there. So the control queue enables them, one program after the other.
     *
     * @param last of the first worker's signalled WRs
     */
    void startOnce(ProgramBuilder program, WorkRequest trigger, WorkRequest last) {
        if (workers[0].prefetches()) {
            program.add(control, Wr.await(trigger));
            program.add(control, Wr.enable(program.endOfFirstStage(workers[0])).signalled());
            program.add(control, Wr.await(last));
        } else {
            program.startAll(workers[0]);
        }
        program.start(Wr.enable(trigger));
    }

    /** Returns bytes of the data whose address, and length, are put in when the program runs. */
    Place data(int length, String name) {
        return Place.of(data, 0, length, name);
    }
}
