package org.jvrpc.offload.lookup;

import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Gets a key's value from whichever of two buckets has it. Each bucket is read over the image of an answer, a WRITE
 * that sleeps as a NOP; a compare-and-swap turns it on where the image is the key's. The request is, for each bucket,
 * the image as the compare-and-swap compares it, 8 bytes, and the bucket's address, 8 bytes; then the request's number,
 * 8 bytes, then the {@linkplain Program#lapIndices() indices} of its lap.
 * Since a bucket has all 8 bytes of the image, reading it also puts the answer of the last lap back to sleep.
 *
 * <p>In a queue that prefetches, the WRs that the request changes are a stage of their own, which the queue enables
 * behind the WAIT for the request, as RedN's does. The program for one request needs a control queue there, since the
 * start of the next one would enable these WRs as well.
 */
final class HashGet {

    static final int BUCKETS = 2;
    static final int REQUEST_BYTES = BUCKETS * 16 + 8;

    private final LookupQueues queues;
    private final ProgramBuilder program;
    private final WorkRequest[] answers = new WorkRequest[BUCKETS];
    private final WorkRequest[] reads = new WorkRequest[BUCKETS];
    private final WorkRequest[] tests = new WorkRequest[BUCKETS];
    /** The request's number, then the index of the WAIT for the next one. */
    private final Place number;
    private final WorkRequest trigger;
    private final WorkRequest done;

    private HashGet(LookupQueues queues, String name, boolean isIndexed) {
        this.queues = queues;
        this.program = queues.begin(name);
        this.number = program.variable("number", 12, 8);
        Place[] request = new Place[2 * BUCKETS + 1];
        for (int i = 0; i < BUCKETS; i++) {
            String which = i == 0 ? "first bucket" : "second bucket";
            answers[i] = Wr.write(queues.answer().slice(0, 8), queues.data(8, "value")).dormant()
                    .comment("answer, " + which);
            reads[i] = Wr.read(queues.data(Bucket.READ_BYTES, which), answers[i].field(Field.IMAGE),
                    answers[i].data(0, Field.DATA_ADDRESS), answers[i].data(0, Field.DATA_LENGTH)).comment(which);
            tests[i] = Wr.turnOn(answers[i], 0).fenced().comment("is it the key?");
            request[2 * i] = tests[i].field(Field.COMPARE);
            request[2 * i + 1] = reads[i].field(Field.REMOTE_ADDRESS);
        }
        request[2 * BUCKETS] = isIndexed ? number : number.slice(0, 8);
        this.trigger = Wr.trigger(request).comment("request");
        this.done = Wr.write(queues.done(), number.slice(0, 8)).comment("which request is answered");
    }

    /** One queue reads one bucket after the other; runs again and again without a CPU. */
    static Program sequential(LookupQueues queues) {
        boolean prefetches = queues.workers()[0].prefetches();
        HashGet get = new HashGet(queues, "hash get", !prefetches);
        return prefetches ? get.inStages() : get.indexed();
    }

    /** The request brings the indices of its lap; that of the WAIT is written over it once it is through. */
    private Program indexed() {
        ChainQueue worker = queues.workers()[0];
        WorkRequest await = Wr.await(trigger);
        WorkRequest next = Wr.write(await.field(Field.PRODUCER_INDEX), number.slice(8, 4))
                .comment("index of the next request");
        WorkRequest nextLap = Wr.enableNextLap(worker);
        WorkRequest answer = Wr.enableLap(queues.answers());
        WorkRequest again = Wr.enable(trigger, 1).comment("takes the next request");
        program.recycle().indicesFromRequest(trigger, await, next, nextLap, answer, again);
        // The answers' ENABLE last: once they take the next request, it changes the indices.
        add(worker, await, reads[0], tests[0], reads[1], tests[1], next, nextLap, answer);
        add(queues.answers(), trigger, answers[0], answers[1], done, again);
        return started(worker);
    }

    /** In a queue that prefetches, an update advances the indices. */
    private Program inStages() {
        ChainQueue worker = queues.workers()[0];
        WorkRequest again = Wr.enable(trigger, 1).comment("takes the next request");
        Recycler recycler = program.recycle();
        recycler.lapBeginsHere(worker);
        add(worker, Wr.await(trigger));
        program.stage(worker);
        add(worker, reads[0], tests[0], reads[1]);
        recycler.updateHere(worker);
        WorkRequest last = tests[1].signalled();
        add(worker, last, Wr.await(last), Wr.enableLap(queues.answers()), Wr.enableNextLap(worker));
        add(queues.answers(), trigger, answers[0], answers[1], done, again);
        return started(worker);
    }

    private Program started(ChainQueue worker) {
        program.start(Wr.enableLap(worker));
        program.start(Wr.enable(trigger));
        return program.build();
    }

    /** The same for one request, to be followed by others that a CPU writes behind it. */
    static Program once(LookupQueues queues) {
        HashGet get = new HashGet(queues, "hash get, once", false);
        ChainQueue worker = queues.workers()[0];
        WorkRequest last = get.tests[1].signalled();
        queues.awaitOnce(get.program, get.trigger);
        get.add(worker, get.reads[0], get.tests[0], get.reads[1], last, Wr.await(last),
                Wr.enable(get.done));
        get.add(queues.answers(), get.trigger, get.answers[0], get.answers[1], get.done);
        queues.startOnce(get.program, get.trigger, last);
        return get.program.build();
    }

    private void add(ChainQueue queue, WorkRequest... wrs) {
        for (WorkRequest wr : wrs) {
            program.add(queue, wr);
        }
    }
}
