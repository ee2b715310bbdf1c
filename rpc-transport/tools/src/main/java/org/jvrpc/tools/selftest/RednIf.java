package org.jvrpc.tools.selftest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.construct.Construct;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * The {@code if} of RedN on a device: a compare-and-swap turns a sleeping WRITE on when its operand is the expected
 * one, an ENABLE lets it run. Taken once with equal operands and once with others. One thread.
 */
final class RednIf {

    private static final int BLOCKS = 8;
    private static final int DONE = 1;
    private static final long EXPECTED = 0x123456789abcL;
    private static final long LONG_ENOUGH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Device device;
    private final ProtectionDomain pd;
    private final MemoryRegion memory;
    private final ByteBuffer result;
    private final CompletionQueue masterCq;
    private final Mlx5QueuePair master;
    private final WorkCompletion wc = new WorkCompletion();

    private RednIf(Device device, ProtectionDomain pd) {
        this.device = device;
        this.pd = pd;
        this.memory = pd.allocate(Side.MEMORY, Side.ALL);
        this.result = memory.buffer(0, Long.BYTES).order(ByteOrder.BIG_ENDIAN);
        this.masterCq = device.createCq(CompletionQueueAttributes.ofChains(BLOCKS));
        this.master = connected(pd.createQp(new QueuePairAttributes(masterCq, masterCq)
                .crossChannel(true).depth(BLOCKS, 1).sges(1, 1)));
    }

    /** Runs both ways in a domain of its own, which ends with the device. @return what was proven */
    static String run(Device device) {
        RednIf redn = new RednIf(device, device.allocatePd());
        redn.take(EXPECTED + 1);
        long begin = System.nanoTime();
        Side.until("end of a short time", () -> {
            redn.poll();
            return System.nanoTime() - begin > LONG_ENOUGH_NS;
        });
        if (redn.result.getLong(0) != 0) {
            throw new StepFailedException("an if of different operands ran its action");
        }
        redn.take(EXPECTED);
        Side.until("the action of an if of equal operands", () -> {
            redn.poll();
            return redn.result.getLong(0) == DONE;
        });
        return "an if runs its action when the operands are equal, and does not when they are not";
    }

    private static Mlx5QueuePair connected(QueuePair qp) {
        if (!(qp instanceof Mlx5QueuePair ring)) {
            throw new NotProvenException("the device's queues are not in the formats of mlx5");
        }
        ring.init();
        ring.connect(ring.endpoint());
        return ring;
    }

    private ChainQueue queue(String name, int blocks) {
        CompletionQueue send = device.createCq(CompletionQueueAttributes.ofChains(BLOCKS));
        CompletionQueue receive = device.createCq(CompletionQueueAttributes.ofChains(BLOCKS));
        Mlx5QueuePair qp = connected(unchecked(new QueuePairAttributes(send, receive)
                .crossChannel(true).managed(true, false).checked(false).depth(blocks, 1).sges(1, 1)));
        return ChainQueue.managed(name, qp, qp.registerSendRing(pd, Side.ALL), ChainCq.of(name + ".cq", send),
                ChainCq.of(name + ".rcq", receive));
    }

    /** Operands lie where cards check index and QP number, unless their firmware was told not to. */
    private QueuePair unchecked(QueuePairAttributes attributes) {
        try {
            return pd.createQp(attributes);
        } catch (VerbsException e) {
            throw new NotProvenException(e.getMessage());
        }
    }

    /** Runs the program once, on queues of its own. */
    private void take(long operand) {
        ChainQueue worker = queue("W", BLOCKS);
        ChainQueue answers = queue("R", 1);
        ProgramBuilder builder = new ProgramBuilder("if", pd.allocate(Side.MEMORY, Side.ALL));
        Place target = Place.of(memory, 0, Long.BYTES, "result");
        WorkRequest action = builder.add(answers,
                Wr.write(target, builder.constant("yes", DONE)).signalled().dormant(operand));
        Construct construct = Conditions.ifEqual(builder, worker, null, action, EXPECTED);
        builder.start(Wr.enable(construct.wrs().get(2)));
        Program program = builder.build();
        program.load();
        program.kick(master);
    }

    private void poll() {
        while (masterCq.poll(wc)) {
            if (!wc.succeeded()) {
                throw new StepFailedException("the kick of a program: " + wc);
            }
        }
    }
}
