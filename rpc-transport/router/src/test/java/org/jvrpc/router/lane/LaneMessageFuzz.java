package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any messages as what another router sends by a lane, behind its seal. Each is taken or a fault that can be shown;
 * what a tenant is asked for is within its ranges, see {@link Watched}; nothing stays of the memory that answers lie
 * in. The input is messages: a byte of what the tenant does first and of what is put right in the header, two of the
 * length, and the bytes.
 */
public final class LaneMessageFuzz {

    private static final int MOST_MESSAGES = 16;
    private static final int LONGEST = 300;
    /** What the first byte of a message says. */
    private static final int TENANT_SENDS = 3;
    private static final int MISNAMED = 4;
    private static final int MISMEASURED = 8;
    private static LaneRig rig;

    private LaneMessageFuzz() {
    }

    public static void fuzzerInitialize() {
        rig = new LaneRig();
    }

    public static void fuzzerTearDown() {
        rig.close();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        rig.begin(new Random(input.length));
        try {
            for (int i = 0; i < MOST_MESSAGES && in.remaining() > 3; i++) {
                String wrong = take(in, in.get());
                if (wrong != null) {
                    FuzzCheck.that(wrong.length() < LONGEST && wrong.chars().noneMatch(Character::isISOControl), wrong);
                    break; // the lanes end
                }
                rig.turn();
            }
        } finally {
            rig.qp.end();
        }
        rig.drain();
    }

    private static String take(ByteBuffer in, int how) {
        int bytes = Math.min(in.getShort() & 0xffff, Math.min(in.remaining(), Slots.BYTES));
        for (int i = 0; i < LaneHeader.BYTES; i += Long.BYTES) {
            rig.message.putLong(i, 0);
        }
        rig.message.put(0, in.array(), in.position(), bytes);
        in.position(in.position() + bytes);
        int length = Math.max(bytes, LaneHeader.BYTES);
        if ((how & MISNAMED) == 0) { // a connection that is there, so that more than its name is looked at
            rig.message.putInt(8, LaneRig.OWN);
            rig.message.putLong(16, LaneRig.EPOCH);
            rig.message.putInt(56, LaneRig.PEER);
        }
        if ((how & MISMEASURED) == 0) {
            LaneHeader.length(rig.message, 0, length - LaneHeader.BYTES);
        } else {
            length = bytes;
        }
        switch (how & TENANT_SENDS) {
            case 1 -> rig.send(Wqe.SEND, 0);
            case 2 -> rig.send(Wqe.RDMA_READ, 8);
            case 3 -> rig.send(Wqe.ATOMIC_FA, 8);
            default -> { }
        }
        return rig.take(length);
    }
}
