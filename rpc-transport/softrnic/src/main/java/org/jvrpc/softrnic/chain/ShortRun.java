package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.QpContext;

/**
 * Executes the WQEs that chains are made of one after the other, in as few accesses as it takes, and stops before any
 * that is unusual or wrong, so that {@link CrossChannelQueue} executes that one, or says what is wrong. What lies in
 * the ring is read when it is its turn; WQEs may change each other. That the QP left RTS is seen by the next run at the
 * latest, 4096 WQEs later. With the claim of the group.
 */
final class ShortRun {

    private final CrossChannelQueue queue;
    private final ChainGroup group;
    private final LongBuffer words;
    /** Of indices of longs. */
    private final int mask;
    private final IntBuffer state;
    private final CqWriter completions;
    private boolean waits;

    /**
     * @param code holds the ring, from {@code codeAt} on
     * @param state holds the QP's context
     */
    ShortRun(CrossChannelQueue queue, ChainGroup group, ByteBuffer code, int codeAt, int ringMask, ByteBuffer state,
            int stateAt, CqWriter completions) {
        this.queue = queue;
        this.group = group;
        this.words = ShortVerbs.words(code, codeAt, ringMask);
        this.mask = ringMask >> 3;
        this.state = QpContext.stateView(state, stateAt);
        this.completions = completions;
    }

    /** Returns true when the last run stopped at a WAIT for what is not there yet. */
    boolean waits() {
        return waits;
    }

    /** Executes up to so many WQEs, and has the group count them; returns how many. */
    int run(int most) {
        waits = false;
        if (!QpContext.isRts(state)) {
            return 0;
        }
        LongBuffer ring = words;
        ShortVerbs verbs = queue.shorts();
        int index = queue.next();
        int limit = queue.allowed();
        int done = 0;
        long room = group.remainingBytes();
        while (done < most && index != limit && room > 0) {
            int at = index * (Wqe.BLOCK / 8) & mask;
            long control = ShortVerbs.big(ring.get(at));
            boolean signalled = (ShortVerbs.big(ring.get(at + 1)) >>> 32 & Wqe.CE_ALWAYS) != 0;
            int opcode = (int) (control >>> 32) & 0xff;
            int segments = (int) control & 0x3f;
            int blocks = Wqe.blocks(segments);
            if (segments == 0 || blocks > limit - index) {
                break;
            }
            int bytes = 0;
            if (opcode == Wqe.WAIT || opcode == Wqe.SEND_ENABLE || opcode == Wqe.RECV_ENABLE) {
                if (segments != 2 || !order(opcode, ShortVerbs.big(ring.get(at + Wqe.INDEX / 8)))) {
                    break;
                }
                limit = queue.allowed();
            } else if (opcode != Wqe.NOP) {
                if (verbs == null || !queue.isPeerReady() || !verbs.execute(at << 3, control)) {
                    break;
                }
                bytes = verbs.bytes();
                room -= bytes;
                queue.forgetRetries();
            }
            done++;
            int executed = index;
            index += blocks;
            queue.advance(index);
            if (signalled) {
                completions.succeedNext(opcode, executed, bytes);
            }
        }
        group.took(done, group.remainingBytes() - room);
        return done;
    }

    /** Executes a WAIT or ENABLE of an index and a CQ or QP; false when it has to wait, or is wrong. */
    private boolean order(int opcode, long indexAndObject) {
        int index = (int) (indexAndObject >>> 32);
        int object = (int) indexAndObject;
        if (opcode == Wqe.WAIT) {
            ChainCq cq = group.cq(object);
            waits = cq != null && !cq.has(index);
            return cq != null && !waits;
        }
        CrossChannelQueue target = group.queue(object);
        return target != null
                && (opcode == Wqe.SEND_ENABLE ? target.enableSend(index) : target.enableReceive(index));
    }
}
