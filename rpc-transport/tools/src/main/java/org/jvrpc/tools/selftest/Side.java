package org.jvrpc.tools.selftest;

import java.util.function.BooleanSupplier;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A QP in INIT with its CQs and some memory with all rights. One thread. */
final class Side {

    static final int MEMORY = 1 << 16;
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final long LONGEST_NS = 10_000_000_000L;
    private static final int DEPTH = 64;
    private static final int INLINE = 64;

    final String name;
    final QueuePair qp;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final MemoryRegion memory;
    private final WorkCompletion wc = new WorkCompletion();

    /** Makes one; {@code channel} is woken by receives, null for none. */
    Side(String name, Device device, ProtectionDomain pd, EventChannel channel) {
        this.name = name;
        sends = device.createCq(CompletionQueueAttributes.ofDepth(DEPTH));
        receives = device.createCq(CompletionQueueAttributes.ofDepth(DEPTH).withChannel(channel));
        memory = pd.allocate(MEMORY, ALL);
        qp = pd.createQp(new QueuePairAttributes(sends, receives).depth(DEPTH, DEPTH).sges(2, 2).inline(INLINE));
        qp.init();
    }

    Sge sge(int offset, int length) {
        return Sge.of(memory, offset, length);
    }

    /** Fills memory with bytes that a seed determines. */
    void fill(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.buffer(offset + i, 1).put(0, pattern(seed, i));
        }
    }

    private static byte pattern(int seed, int i) {
        return (byte) (seed * 31 + i * 7 + (i >> 8));
    }

    /** Checks that memory holds what {@link #fill} writes. */
    void check(String what, int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            byte found = memory.buffer(offset + i, 1).get(0);
            if (found != pattern(seed, i)) {
                throw new StepFailedException(what + ": wrong data at byte " + i + " of " + length + ": found=" + found
                        + " expected=" + pattern(seed, i));
            }
        }
    }

    void receive(long wrId, Sge... sges) {
        PostReceive call = qp.prepareReceive(ReceiveRequest.of(wrId, sges));
        int accepted = call.execute();
        call.free();
        if (accepted != 1) {
            throw new StepFailedException(name + " takes no receive");
        }
    }

    void post(SendRequest request) {
        PostSend call = qp.prepareSend(request);
        int accepted = call.execute();
        call.free();
        if (accepted != 1) {
            throw new StepFailedException(name + " takes no " + request.opcode());
        }
    }

    /** Waits for the completion of a send. */
    void sent(long wrId, WcOpcode opcode) {
        WorkCompletion found = await(sends, "completion of " + opcode);
        expect(found, wrId, WcStatus.SUCCESS);
        if (found.opcode() != opcode) {
            throw new StepFailedException(name + ": expected " + opcode + ", got " + found);
        }
    }

    /** Waits for the completion of a send that must fail. */
    void sentFails(long wrId, WcStatus status) {
        expect(await(sends, "completion with " + status), wrId, status);
    }

    /** Waits for a receive. */
    WorkCompletion received(long wrId, int byteLength) {
        WorkCompletion found = await(receives, "receive");
        expect(found, wrId, WcStatus.SUCCESS);
        if (found.byteLength() != byteLength) {
            throw new StepFailedException(name + ": expected " + byteLength + " bytes, got " + found);
        }
        return found;
    }

    private void expect(WorkCompletion found, long wrId, WcStatus status) {
        if (found.wrId() != wrId || found.status() != status) {
            throw new StepFailedException(name + ": expected wrId=" + wrId + " " + status + ", got " + found);
        }
    }

    private WorkCompletion await(CompletionQueue cq, String what) {
        until(name + ": " + what, () -> cq.poll(wc));
        return wc;
    }

    /** Tries until something is true, for ten seconds at most. */
    static void until(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > LONGEST_NS) {
                throw new StepFailedException(what + " did not come within " + LONGEST_NS / 1_000_000_000L + " s");
            }
            Thread.onSpinWait();
        }
    }
}
