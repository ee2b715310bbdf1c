package org.jvrpc.ibverbs.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.jvrpc.ibverbs.differential.Scenario.Step;
import org.jvrpc.ibverbs.differential.Scenario.Verb;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/**
 * One end of a scenario, and the record of what became of it. Memory: what is sent or read, what is written, what is
 * received, what is brought back, in slots of their own, then a word for atomics. One thread.
 */
final class Party implements AutoCloseable {

    private static final int SLOT = 4096;
    /** As many as any scenario has steps. */
    private static final int SLOTS = 12;
    static final int WRITTEN = SLOTS * SLOT;
    private static final int RECEIVED = 2 * SLOTS * SLOT;
    private static final int BROUGHT = 3 * SLOTS * SLOT;
    private static final int WORD = 4 * SLOTS * SLOT;
    static final int BYTES = WORD + SLOT;
    private static final int DEPTH = 16;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int NO_KEY = 0x5a5a5a5a;

    final QueuePair qp;
    final MemoryRegion mr;
    private final Scenario scenario;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final WorkCompletion wc = new WorkCompletion();
    private final List<PostSend> sends = new ArrayList<>();
    private final List<String> record = new ArrayList<>();
    private int receives;

    Party(Device device, Scenario scenario, long seed) {
        this.scenario = scenario;
        pd = device.allocatePd();
        cq = device.createCq(CompletionQueueAttributes.ofDepth(4 * DEPTH));
        qp = pd.createQp(scenario.attributes(new QueuePairAttributes(cq, cq).depth(DEPTH, DEPTH)));
        mr = pd.allocate(BYTES, ALL);
        SplittableRandom random = new SplittableRandom(seed);
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            mr.buffer(at, Long.BYTES).putLong(0, at < RECEIVED || at >= WORD ? random.nextLong() : 0);
        }
        qp.init();
    }

    /** Posts what the scenario has receives for, in slots of their own. */
    void receive() {
        for (; receives < scenario.receives(); receives++) {
            PostReceive receive = qp.prepareReceive(ReceiveRequest.of(receives, Sge.of(mr,
                    RECEIVED + receives * (long) SLOT, scenario.receiveBytes())));
            posted(receive.execute());
            receive.free();
        }
    }

    private static void posted(int accepted) {
        if (accepted != 1) {
            throw new AssertionError("accepted=" + accepted);
        }
    }

    /** Posts all that the scenario asks for, in order, and records their completions. */
    void ask(long remote, int rkey) {
        List<Step> steps = scenario.steps();
        for (int i = 0; i < steps.size(); i++) {
            sends.add(qp.prepareSend(request(i, steps.get(i), remote, rkey)));
        }
        sends.forEach(send -> posted(send.execute()));
        for (int i = 0; i < steps.size(); i++) {
            await("wr " + i);
            Step step = steps.get((int) wc.wrId());
            boolean brings = wc.succeeded() && (step.verb() == Verb.READ || isAtomic(step.verb()));
            record.add("wr " + i + ": " + wc.wrId() + " " + step.verb() + " " + wc.status()
                    + (wc.succeeded() ? " " + wc.opcode() : "")
                    + (brings ? " brought=" + crc(BROUGHT + wc.wrId() * SLOT, step.length()) : ""));
        }
    }

    private static boolean isAtomic(Verb verb) {
        return verb == Verb.COMPARE_SWAP || verb == Verb.FETCH_ADD;
    }

    private SendRequest request(int number, Step step, long remote, int rkey) {
        long slot = number * (long) SLOT;
        Sge source = Sge.of(mr, slot, step.length());
        Sge result = Sge.of(mr, BROUGHT + slot, step.length());
        int key = step.rightKey() ? rkey : NO_KEY;
        long at = remote + (step.at() >= 0 ? step.at() : isAtomic(step.verb()) ? WORD : WRITTEN + slot);
        SendRequest request = switch (step.verb()) {
            case SEND -> SendRequest.send(number, source);
            case SEND_IMM -> SendRequest.sendWithImmediate(number, 0x01020300 + number, source);
            case SEND_INVALIDATE -> SendRequest.sendWithImmediate(number, rkey, source); // the relay makes it one
            case WRITE -> SendRequest.write(number, at, key, source);
            case WRITE_IMM -> SendRequest.writeWithImmediate(number, at, key, 0x0a0b0c00 + number, source);
            case READ -> SendRequest.read(number, at, key, result);
            case COMPARE_SWAP -> SendRequest.compareAndSwap(number, at, key, number == 0 ? firstWord() : 7, 8, result);
            case FETCH_ADD -> SendRequest.fetchAndAdd(number, at, key, 3, result);
        };
        return request.signalled();
    }

    /** What the other side's word has at first, as both know the seed: their memory begins alike. */
    private long firstWord() {
        return mr.buffer(WORD, Long.BYTES).getLong(0);
    }

    private void await(String what) {
        Deadline deadline = Deadline.usual();
        while (!cq.poll(wc)) {
            deadline.turn(() -> what + " state=" + qp.state() + " so far " + record);
        }
    }

    /** Records what was received; when the QP is in ERR, every receive completes. */
    void end() {
        int done = 0;
        Deadline deadline = Deadline.usual();
        while (done < receives) {
            boolean broken = qp.state() == QueuePairState.ERR; // before the poll: what came until then is there
            if (cq.poll(wc)) {
                done++;
                record.add("receive " + wc.wrId() + ": " + wc.status() + (wc.succeeded() ? received() : ""));
            } else if (!broken) {
                break;
            } else {
                deadline.turn(() -> "receives flushed, state=" + qp.state() + " so far " + record);
            }
        }
    }

    private String received() {
        boolean written = wc.opcode() == WcOpcode.RECV_RDMA_WITH_IMM;
        return " " + wc.opcode() + " length=" + wc.byteLength()
                + (wc.hasImmediate() ? " immediate=" + wc.immediate() : "")
                + (written ? "" : " bytes=" + crc(RECEIVED + wc.wrId() * SLOT, wc.byteLength()));
    }

    private String crc(long at, int length) {
        byte[] bytes = new byte[length];
        if (length > 0) {
            mr.buffer(at, length).get(0, bytes);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return Long.toHexString(crc.getValue());
    }

    /** Returns the record, with the state of the QP and checksums of the parts of memory. */
    List<String> record() {
        List<String> all = new ArrayList<>(record);
        all.add("state: " + qp.state());
        all.add("memory written: " + crc(WRITTEN, RECEIVED - WRITTEN) + " word " + crc(WORD, BYTES - WORD));
        all.add("memory received: " + crc(RECEIVED, BROUGHT - RECEIVED));
        all.add("memory brought: " + crc(BROUGHT, WORD - BROUGHT));
        return all;
    }

    @Override
    public void close() {
        sends.forEach(PostSend::free);
        qp.close();
        cq.close();
        mr.close();
        pd.close();
    }
}
