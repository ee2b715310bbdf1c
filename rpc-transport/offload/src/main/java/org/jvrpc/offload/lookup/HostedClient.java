package org.jvrpc.offload.lookup;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What one client of a host has there: a protection domain of its own with its queues, keys and program. The host's
 * thread; the audit for any thread.
 */
public final class HostedClient {

    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int VARIABLE_BYTES = 1024;
    private static final int INSTANCES = 8;
    private static final int CQ_DEPTH = 64;

    private final Offer offer;
    private final BooleanSupplier may;
    private final ProtectionDomain pd;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final CompletionQueue triggerCq;
    private final CompletionQueue kickCq;
    private final Mlx5QueuePair answers;
    private final Mlx5QueuePair kick;
    private final LookupQueues[] instances;
    private CompletionQueue controlCq;
    private final WorkCompletion wc = new WorkCompletion();
    private Connection connection;
    private int next;
    private int arrived;

    HostedClient(Device device, Offer offer, LookupHello.Request request, BooleanSupplier may) {
        this.offer = offer;
        this.may = may;
        this.pd = keep(device.allocatePd());
        try {
            pd.chains().limitRate(offer.wqesPerSecond(), offer.burst());
            MemoryRegion data = keep(pd.share(offer.data(), 0, offer.data().length(), Access.REMOTE_READ));
            boolean once = offer.rearm() == Offer.Rearm.PREPOSTED;
            int count = once ? INSTANCES : 1;
            MemoryRegion variables = keep(pd.allocate((long) VARIABLE_BYTES * count, ALL));
            boolean prefetches = pd.chains().prefetches();
            ChainQueue[] workers = new ChainQueue[offer.kind().workers()];
            for (int i = 0; i < workers.length; i++) {
                workers[i] = worker(device, "worker " + (i + 1), offer.kind().workerBlocks(prefetches) * count);
            }
            ChainQueue control = once && prefetches ? control(device, 3 * count) : null;
            CompletionQueue answerCq = cq(device);
            this.triggerCq = cq(device);
            this.answers = keep((Mlx5QueuePair) pd.createQp(attributes(answerCq, triggerCq)
                    .managed(true, true).depth(offer.kind().answerBlocks() * count, count).sges(1, 16)));
            answers.init();
            ChainQueue answerQueue = ChainQueue.managed("answers", answers, keep(answers.registerSendRing(pd, ALL)),
                    ChainCq.of("answered", answerCq), ChainCq.of("requests", triggerCq)).receives(count, true);
            this.kickCq = cq(device);
            this.kick = keep((Mlx5QueuePair) pd.createQp(attributes(kickCq, kickCq).depth(16, 1)));
            kick.init();
            kick.connect(kick.endpoint());
            Place answer = Place.remote(request.address() + LookupHello.ANSWER, request.rkey(),
                    request.bytes() - LookupHello.ANSWER, "client's answer");
            Place done = Place.remote(request.address(), request.rkey(), 8, "client's done word");
            this.instances = new LookupQueues[count];
            for (int i = 0; i < count; i++) {
                MemoryRegion own = once
                        ? keep(pd.share(variables, (long) i * VARIABLE_BYTES, VARIABLE_BYTES, ALL)) : variables;
                instances[i] = new LookupQueues(workers, control, answerQueue, own, data, answer, done);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private <P extends AutoCloseable> P keep(P part) {
        parts.push(part);
        return part;
    }

    private CompletionQueue cq(Device device) {
        return keep(device.createCq(CompletionQueueAttributes.ofChains(CQ_DEPTH)));
    }

    private static QueuePairAttributes attributes(CompletionQueue sendCq, CompletionQueue receiveCq) {
        return new QueuePairAttributes(sendCq, receiveCq).crossChannel(true).checked(false);
    }

    private ChainQueue worker(Device device, String name, int blocks) {
        CompletionQueue cq = cq(device);
        Mlx5QueuePair qp = keep((Mlx5QueuePair) pd.createQp(attributes(cq, cq).managed(true, false).depth(blocks, 1)
                .sges(1, 1)));
        qp.init();
        qp.connect(qp.endpoint());
        ChainCq completions = ChainCq.of(name + "'s completions", cq);
        return ChainQueue.managed(name, qp, keep(qp.registerSendRing(pd, ALL)), completions, completions);
    }

    /** For WAITs and ENABLEs that nobody changes. */
    private ChainQueue control(Device device, int blocks) {
        CompletionQueue cq = cq(device);
        controlCq = cq;
        Mlx5QueuePair qp = keep((Mlx5QueuePair) pd.createQp(attributes(cq, cq).depth(blocks, 1).sges(1, 1)));
        qp.init();
        qp.connect(qp.endpoint());
        ChainCq completions = ChainCq.of("control's completions", cq);
        return ChainQueue.unmanaged("control", qp, completions, completions);
    }

    /** Returns false when the client would not be let in now. */
    boolean mayStay() {
        return may.getAsBoolean();
    }

    /** Loads and starts the program, then accepts the client. */
    void accept(ConnectionRequest request) {
        List<LapIndex> indices = List.of();
        if (offer.rearm() == Offer.Rearm.RECYCLED) {
            Program program = offer.kind().recycled(instances[0]);
            indices = program.lapIndices();
            start(program);
        } else {
            for (int i = 0; i < instances.length; i++) {
                startNext();
            }
        }
        MemoryRegion data = instances[0].data();
        connection = keep(request.accept(answers, new LookupHello.Answer(
                offer.kind().ordinal(), data.rkey(), data.address() + offer.header(), instances.length,
                indices).encode()));
    }

    private void startNext() {
        start(offer.kind().once(instances[next++ % instances.length]));
    }

    private void start(Program program) {
        program.load();
        program.kick(kick);
        pollKicks();
    }

    /** Also has a kick go on that met somebody else at work. */
    private void pollKicks() {
        poll(kickCq);
        if (controlCq != null) {
            poll(controlCq); // gives room in the control queue back
        }
    }

    private void poll(CompletionQueue cq) {
        while (cq.poll(wc)) {
            if (!wc.succeeded()) {
                throw new VerbsException("post_send", "a kick failed: " + wc.status());
            }
        }
    }

    /** Writes a new instance for each that was used; false when there was none. */
    boolean rearm() {
        boolean work = false;
        if (offer.rearm() == Offer.Rearm.PREPOSTED) {
            pollKicks();
            while (triggerCq.poll(wc)) {
                if (!wc.succeeded()) {
                    return work;
                }
                // The request before this one is through: its instance is written anew, while this one's still runs.
                if (arrived++ > 0) {
                    startNext();
                }
                work = true;
            }
        }
        return work;
    }

    /** Returns true until the client goes, answers no more, or is cut off: then it is disconnected. */
    boolean isConnected() {
        return connection != null && connection.isConnected() && answers.state() != QueuePairState.ERR
                && !pd.chains().isCutOff();
    }

    /** Returns true once the client has shown that it is there. */
    boolean isProven() {
        return connection != null && connection.isEstablished();
    }

    /** Returns what the client uses. */
    public Offer offer() {
        return offer;
    }

    /** Returns how many WQEs the client's program has executed. @throws VerbsException when the client is gone */
    public long executed() {
        return pd.chains().executed();
    }

    /**
     * Ends the client's program, wherever it runs; the client's lookups fail from then on.
     *
     * @return false when the client is gone
     */
    public boolean cutOff() {
        try {
            pd.chains().cutOff();
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    /** Gives everything back, also what comes after something that cannot be closed. Idempotent. */
    void close() {
        Throwable failure = null;
        for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
            try {
                part.close();
            } catch (RuntimeException | Error e) {
                failure = e;
            } catch (Exception e) {
                throw new AssertionError("nothing of these throws checked exceptions", e);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}
