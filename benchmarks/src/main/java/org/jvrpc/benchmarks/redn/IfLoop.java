package org.jvrpc.benchmarks.redn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Unrolled {@code if} constructs, each of 1 copy verb, 1 atomic and 3 ordering verbs; every other one is true. The CPU
 * writes a ring of them anew when it is through, as the paper's chains are posted by one, within the time measured. All
 * of it on one thread.
 */
public final class IfLoop implements ClientEnd {

    /** The constructs of a ring. */
    static final int IFS = 512;
    private static final int WRS_EACH = 5;
    private static final int RESULTS = 8;
    private static final int EXPECTED = 42;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    private Device device;
    private ProtectionDomain pd;
    private CompletionQueue kickCq;
    private ByteBuffer results;
    private Mlx5QueuePair kick;
    private Mlx5QueuePair worker;
    private Mlx5QueuePair actions;
    private long[] ifs;
    private long[] sleeping;
    private int laps;
    private final WorkCompletion wc = new WorkCompletion();

    /** The other process has nothing to do. */
    public static ServerEnd server() {
        return new ServerEnd() {
            @Override
            public String start(java.nio.file.Path directory, int clients) {
                return "none";
            }

            @Override
            public void close() {
                // nothing was opened
            }
        };
    }

    @Override
    public void connect(String address, int index) {
        device = Devices.open("shm://any");
        pd = device.allocatePd();
        MemoryRegion data = pd.allocate(4096, ALL);
        results = data.buffer(0, 8 * RESULTS).order(ByteOrder.BIG_ENDIAN);
        CompletionQueue workerCq = device.createCq(CompletionQueueAttributes.ofChains(64));
        CompletionQueue actionsCq = device.createCq(CompletionQueueAttributes.ofChains(64));
        worker = qp(workerCq, 4 * IFS);
        actions = qp(actionsCq, IFS);
        ChainQueue w = queue("W", worker, workerCq, worker.registerSendRing(pd, ALL));
        ChainQueue r = queue("R", actions, actionsCq, actions.registerSendRing(pd, ALL));
        ProgramBuilder builder = new ProgramBuilder("ifs", pd.allocate(1 << 16, ALL));
        Place one = builder.constant("one", 1);
        builder.add(w, Wr.nop()); // in place of the WAIT that the first one does not need
        WorkRequest before = null;
        for (int i = 0; i < IFS; i++) {
            Place result = Place.of(data, 8L * (i % RESULTS), 8, "result " + i % RESULTS);
            WorkRequest action = builder.add(r,
                    Wr.write(result, one).signalled().dormant(i % 2 == 0 ? EXPECTED : EXPECTED + 1));
            Conditions.ifEqual(builder, w, before, action, EXPECTED);
            before = action;
        }
        builder.startAll(w);
        Program program = builder.build();
        ifs = program.words(w);
        sleeping = program.words(r);
        kickCq = device.createCq(CompletionQueueAttributes.ofChains(64));
        kick = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(kickCq, kickCq).crossChannel(true).depth(16, 1));
        kick.init();
        kick.connect(kick.endpoint());
        program.load();
        program.kick(kick);
        finish(WRS_EACH * IFS);
    }

    /** Writes the ring anew, for the next lap's counts, and starts it. */
    private void again() {
        laps++;
        for (int at = 0; at < ifs.length; at += Wqe.BLOCK / 8) {
            int opcode = Wqe.opcode((int) (ifs[at] >>> 32));
            if (opcode == Wqe.WAIT || opcode == Wqe.SEND_ENABLE) {
                ifs[at + Wqe.INDEX / 8] += (long) IFS << 32; // completions and blocks of actions, both as many as ifs
            }
        }
        actions.load(0, sleeping);
        worker.load(0, ifs);
        long[] enable = new long[Wqe.BLOCK / 8];
        enable[0] = (long) Wqe.SEND_ENABLE << 32 | 2;
        enable[1] = (long) Wqe.CE_ALWAYS << 32;
        enable[Wqe.INDEX / 8] = (long) (laps + 1) * 4 * IFS << 32 | worker.number();
        if (!kick.post(0, enable)) {
            throw new IllegalStateException("the queue of kicks is full");
        }
    }

    /** Polls until the program has executed so many WRs. */
    private void finish(long executed) {
        do {
            if (kickCq.poll(wc) && !wc.succeeded()) {
                throw new IllegalStateException("the program did not start: " + wc.status());
            }
        } while (pd.chains().executed() < executed);
    }

    private Mlx5QueuePair qp(CompletionQueue cq, int blocks) {
        Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(cq, cq)
                .crossChannel(true).managed(true, false).checked(false).depth(blocks, 1).sges(1, 1));
        qp.init();
        qp.connect(qp.endpoint());
        return qp;
    }

    private static ChainQueue queue(String name, Mlx5QueuePair qp, CompletionQueue cq, MemoryRegion code) {
        ChainCq completions = ChainCq.of(name + ".cq", cq);
        return ChainQueue.managed(name, qp, code, completions, completions);
    }

    /** Runs until a time, and returns how many constructs were executed. */
    long run(long endNs) {
        for (int i = 0; i < RESULTS; i++) {
            results.putLong(8 * i, 0);
        }
        long count = 0;
        do {
            long before = pd.chains().executed();
            again();
            finish(before + 1 + WRS_EACH * IFS);
            count += IFS;
        } while (System.nanoTime() < endNs);
        for (int i = 0; i < RESULTS; i++) {
            if (results.getLong(8 * i) != (i % 2 == 0 ? 1 : 0)) {
                throw new IllegalStateException("ifs number " + i + " gave " + results.getLong(8 * i));
            }
        }
        return count;
    }

    @Override
    public Pipeline pipeline() {
        return (window, endNs) -> run(endNs);
    }

    @Override
    public Operation operation(Workload workload) {
        throw workload.unsupported();
    }

    @Override
    public void close() {
        if (device != null) {
            device.close();
        }
    }
}
