package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Posts, polls, and any bytes in the ring of CQEs between them, as a card or a peer with a defect may write them. Polls
 * report each receive that was posted once at most and no other, write only to memory of SGEs, and end: with nothing,
 * or a {@link VerbsException}. Sends are as the ring says, also twice, or by 0 where nothing was posted: the driver
 * takes the device's word for its own queue. The first byte chooses the queues, each further one a step and how much of
 * the input is its operand.
 */
final class CqeRingFuzz {

    private static final int MOST_POLLS = 100;
    private static final int CQ_BYTES = 8 * 128;
    private static final int SGE_BYTES = 100;
    private static final int CANARY_FROM = 512;
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(Rings.BYTES);
    private static final byte[] ZEROS = new byte[Rings.BYTES];

    private CqeRingFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        MEMORY.put(0, ZEROS);
        new Run(input).all();
    }

    private static final class Run {

        private final ByteBuffer in;
        private final boolean datagrams;
        private final int cqeBytes;
        private final Rings rings;
        private final WorkCompletion wc = new WorkCompletion();
        private final BitSet receives = new BitSet();
        private final BitSet sends = new BitSet();
        private int next = 1;
        private int written;

        Run(byte[] input) {
            in = ByteBuffer.wrap(input);
            int how = read() & 3;
            datagrams = how == 3;
            cqeBytes = how == 1 ? 128 : 64;
            rings = how == 2 ? Rings.shared(MEMORY, 6) : datagrams ? Rings.datagrams(MEMORY)
                    : Rings.usual(MEMORY, cqeBytes, how == 1);
        }

        private int read() {
            return in.hasRemaining() ? in.get() & 0xff : 0;
        }

        void all() {
            try {
                while (in.hasRemaining()) {
                    step(read());
                }
                for (int i = 0; i < MOST_POLLS && poll(); i++) {
                    FuzzCheck.that(i < MOST_POLLS - 1, "polls never end");
                }
            } catch (VerbsException e) {
                FuzzCheck.that(e.getMessage() != null, e);
            }
            for (int i = CANARY_FROM; i < rings.local.length; i++) {
                FuzzCheck.that(rings.local[i] == 0, "wrote beyond the SGEs: index=" + i);
            }
        }

        private void step(int step) {
            switch (step & 7) {
                case 0 -> receive();
                case 1 -> send(read());
                case 2, 3 -> cqe(step);
                case 4 -> raw(cqeAt(written++), Math.min(64, in.remaining()));
                case 5 -> raw(Rings.CQ + (read() * 8) % CQ_BYTES, Math.min(8, in.remaining()));
                case 6 -> {
                    rings.qp.error();
                    rings.cq.flushReceives(rings.qp);
                }
                default -> poll();
            }
        }

        private int cqeAt(int index) {
            return Rings.CQ + (index & 7) * cqeBytes + cqeBytes - Cqe.BYTES;
        }

        private void raw(int at, int length) {
            for (int i = 0; i < length; i++) {
                MEMORY.put(at + i, in.get());
            }
        }

        /** Writes what could be a CQE. */
        private void cqe(int step) {
            int at = cqeAt(written);
            int kind = read();
            MEMORY.putInt(at + Cqe.BYTE_COUNT, read());
            MEMORY.put(at + Cqe.SYNDROME, (byte) (step >> 3));
            BigEndian.putLong(MEMORY, at + Cqe.TAIL, Cqe.tail(read(), Rings.QPN, read(), written / 8, kind >> 4,
                    kind & 0xc));
            written++;
        }

        private void receive() {
            ReceiveRequest request = ReceiveRequest.of(next, new Sge(0, SGE_BYTES, 1), new Sge(128, SGE_BYTES, 1));
            took(receives, rings.srq != null ? rings.srq.prepareReceive(request).execute()
                    : rings.qp.prepareReceive(request).execute());
        }

        private void send(int how) {
            Sge sge = new Sge(256, SGE_BYTES, 1);
            SendRequest request = switch (datagrams ? 0 : how & 3) {
                case 1 -> SendRequest.read(next, 0x1000, 5, sge, new Sge(384, SGE_BYTES, 1));
                case 2 -> SendRequest.fetchAndAdd(next, 0x1000, 5, 1, new Sge(256, 8, 1));
                case 3 -> SendRequest.write(next, 0x1000, 5, sge);
                default -> SendRequest.send(next, sge);
            };
            if (!datagrams) {
                took(sends, rings.qp.prepareSend(request.signalled()).execute());
            }
        }

        private void took(BitSet posted, int count) {
            if (count == 1) {
                posted.set(next++);
            }
        }

        private boolean poll() {
            if (!rings.cq.poll(wc)) {
                return false;
            }
            int id = (int) wc.wrId();
            FuzzCheck.that(id == 0 || sends.get(id) || receives.get(id), "reported twice, or not posted: wrId=" + id);
            receives.clear(id);
            if (wc.succeeded() && wc.inlineBuffer() != null) {
                wc.inlineBuffer().get(wc.inlineOffset(), new byte[wc.byteLength()]);
            }
            return true;
        }
    }
}
