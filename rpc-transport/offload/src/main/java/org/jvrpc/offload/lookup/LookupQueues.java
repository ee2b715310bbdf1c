package org.jvrpc.offload.lookup;

import org.jvrpc.offload.ChainQueue;
import org.jvrpc.offload.Place;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.verbs.MemoryRegion;

/**
 * What a lookup's program is written for: the queues of one client, the memory that it reads, and the client's.
 *
 * @param workers loopback queues that do the search, as many as the program uses
 * @param answers the queue connected to the client, whose receives are the requests
 * @param variables memory of the program's own
 * @param data what is searched
 * @param answer the client's memory for the value
 * @param done the client's 8 bytes that tell which request is answered
 */
public record LookupQueues(
        ChainQueue[] workers, ChainQueue answers, MemoryRegion variables, MemoryRegion data, Place answer, Place done) {

    ProgramBuilder begin(String name) {
        return new ProgramBuilder(name, variables);
    }

    /** Returns bytes of the data whose address, and length, are put in when the program runs. */
    Place data(int length, String name) {
        return Place.of(data, 0, length, name);
    }
}
