package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Any bytes as WQEs of a send ring, executed by the engine as a doorbell or as words of the doorbell itself. They move
 * bytes of the memory that their keys open and no other, or end in an error completion; a QP that is in RTS after them
 * delivers the next good SEND.
 *
 * <p>The first byte says how many blocks there are, whether they are pushed, and how many receives are posted; two bits
 * of the next four for each segment make its numbers mean something: 1 a data segment of this end's memory, 2 an
 * address in the peer's, 3 one in memory that nobody may write.
 */
public final class WqeRingFuzz {

    private static final int HEADER = 5;
    private static final int LIFE = 50_000;
    /** So many QPs use the same memory one after the other. */
    private static final int QPS = 50;
    private static final int MOST_POLLS = 100;
    private static final WorkCompletion WC = new WorkCompletion();
    private static final long[] WORDS = new long[8];
    private static SoftDevice device;
    private static FuzzPair pair;
    private static ByteBuffer ring;
    private static int producer;
    private static int age;

    private WqeRingFuzz() {
    }

    public static void fuzzerInitialize() {
        device = SoftDevice.open(() -> 0);
        renew();
    }

    public static void fuzzerTearDown() {
        pair.close();
        device.close();
    }

    private static void renew() {
        if (age++ % QPS == 0 || pair.broken) {
            renewPair();
        } else {
            FuzzCheck.that(pair.renewQps(), "does not connect");
        }
        long context = pair.left.context;
        ring = device.arena().require(context, 8, "test").window(context);
        producer = 0;
    }

    private static void renewPair() {
        if (pair != null) {
            pair.close();
        }
        if (age > LIFE) {
            device.close();
            device = SoftDevice.open(() -> 0);
            age = 1;
        }
        pair = new FuzzPair(device, device, new SplittableRandom(1), FuzzPair.newFiles());
        FuzzCheck.that(pair.connect(), "does not connect");
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < HEADER) {
            return;
        }
        SendEngine engine = ((SoftQueuePair) ((Mlx5QueuePair) pair.left.qp).control()).engine();
        for (int receives = input[0] >> 4 & 3; receives > 0; receives--) {
            pair.right.qp.prepareReceive(
                    ReceiveRequest.of(1, pair.right.sge(0, 64), pair.right.sge(100, 200))).execute();
        }
        int blocks = 1 + (input[0] & 3);
        write(input, blocks);
        boolean pushed = (input[0] & 4) != 0 && push(engine);
        producer += pushed ? 1 : blocks;
        if (!pushed) {
            engine.ring(producer);
        }
        drain(pair.left.sendCq);
        drain(pair.right.receiveCq);
        drain(pair.left.receiveCq);
        drain(pair.right.sendCq);
        FuzzCheck.that(pair.left.canariesLive() && pair.right.canariesLive(), "other memory was written");
        QueuePairState state = pair.left.qp.state();
        FuzzCheck.that(state == QueuePairState.RTS || state == QueuePairState.ERR, state);
        if (pair.broken || engine.isStalled() || !pair.isUsable() || !sendsWell(engine)) {
            renew();
        }
    }

    private static int at(int block) {
        return pair.left.sendRingAt() + (block & 15) * Wqe.BLOCK;
    }

    /** Writes the blocks at the producer, where what is missing is zero, and gives meaning to numbers. */
    private static void write(byte[] input, int blocks) {
        int kinds = input[1] & 0xff | (input[2] & 0xff) << 8 | (input[3] & 0xff) << 16 | input[4] << 24;
        for (int i = 0; i < blocks * Wqe.BLOCK; i++) {
            ring.put(at(producer + i / Wqe.BLOCK) + i % Wqe.BLOCK, HEADER + i < input.length ? input[HEADER + i] : 0);
        }
        for (int i = 0; i < blocks * 4; i++) {
            int segment = at(producer + i / 4) + i % 4 * Wqe.SEGMENT;
            switch (kinds >>> 2 * i & 3) {
                case 1 -> {
                    BigEndian.putInt(ring, segment + 4, pair.left.mr.lkey());
                    aim(segment + 8, pair.left.mr.address());
                }
                case 2 -> {
                    BigEndian.putInt(ring, segment + 8, pair.right.mr.rkey());
                    aim(segment, pair.right.mr.address());
                }
                case 3 -> {
                    BigEndian.putInt(ring, segment + 8, pair.right.behind.rkey());
                    aim(segment, pair.right.behind.address());
                }
                default -> { }
            }
        }
    }

    /** Makes of an address one within, or somewhat before or behind, some memory. */
    private static void aim(int at, long base) {
        BigEndian.putLong(ring, at, base + (short) BigEndian.getLong(ring, at));
    }

    private static boolean push(SendEngine engine) {
        for (int i = 0; i < WORDS.length; i++) {
            WORDS[i] = BigEndian.getLong(ring, at(producer) + 8 * i);
        }
        return engine.push(producer, WORDS);
    }

    private static int drain(CompletionQueue cq) {
        int count = 0;
        try {
            while (cq.poll(WC)) {
                FuzzCheck.that(++count < MOST_POLLS, "polls never end");
                if (WC.succeeded() && WC.inlineBuffer() != null) {
                    WC.inlineBuffer().get(WC.inlineOffset(), new byte[WC.byteLength()]);
                }
            }
        } catch (VerbsException e) {
            pair.broken = true; // an overrun
        }
        return count;
    }

    /** Sends eight bytes; false where receives that the input posted are used up otherwise. */
    private static boolean sendsWell(SendEngine engine) {
        if (pair.right.qp.prepareReceive(ReceiveRequest.of(2, pair.right.sge(0, 64))).execute() != 1) {
            return false;
        }
        int at = at(producer);
        BigEndian.putLong(ring, at, (long) Wqe.opmodIndexOpcode(0, 0, Wqe.SEND) << 32
                | (long) pair.left.qp.number() << 8 | 2);
        BigEndian.putLong(ring, at + 8, (long) Wqe.CE_ALWAYS << 32);
        BigEndian.putLong(ring, at + 16, 8L << 32 | pair.left.mr.lkey() & 0xffffffffL);
        BigEndian.putLong(ring, at + 24, pair.left.mr.address());
        engine.ring(++producer);
        boolean delivered = pair.right.receiveCq.poll(WC) && WC.succeeded() && WC.byteLength() == 8;
        FuzzCheck.that(delivered, "not delivered: " + WC);
        FuzzCheck.that(pair.left.sendCq.poll(WC) && WC.succeeded(), "not completed: " + WC);
        return true;
    }
}
