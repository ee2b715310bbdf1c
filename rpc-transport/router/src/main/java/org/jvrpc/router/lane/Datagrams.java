package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.DatagramWay;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.queue.GatherList;

/**
 * The ways by which datagrams go to other hosts, and come from there. Nobody is told what became of one, and none
 * waits: who floods is dropped while there is still room for what must not be lost. The worker's thread.
 */
final class Datagrams {

    static final int MOST_BYTES = 4096;
    private static final int MOST_WAYS = 65_535;
    private static final int NUMBER = 0xffffff;

    private One[] ways = new One[16];

    /** One way. */
    private final class One implements DatagramWay {

        private final RemoteConnection to;
        private final Pair pair;
        /** Null: nothing comes by it. */
        private final End end;

        private One(RemoteConnection to, Pair pair, End end) {
            this.to = to;
            this.pair = pair;
            this.end = end;
        }

        @Override
        public boolean send(GatherList message, boolean hasImmediate, int immediate, int sourceQp, int qp, int qkey) {
            LaneSet lanes = pair.lanes();
            Lane lane = lanes == null ? null : lanes.lane(to.epoch());
            if (lane == null || !lane.mayDrop() || !lanes.slots().hasMany()) {
                return false;
            }
            int slot = lanes.slots().take();
            ByteBuffer memory = lanes.slots().memory();
            int at = Slots.at(slot);
            int bytes = (int) message.total();
            boolean made = false;
            try {
                LaneHeader.begin(memory, at, LaneHeader.DATAGRAM, to.peer(), to.own(), to.epoch(), 0);
                LaneHeader.opcode(memory, at, hasImmediate ? Wqe.SEND_IMM : Wqe.SEND);
                LaneHeader.immediate(memory, at, immediate);
                LaneHeader.remote(memory, at, (long) qp << 32 | sourceQp & NUMBER, qkey);
                LaneHeader.length(memory, at, bytes);
                if (bytes > 0) {
                    message.gather(0, memory, at + LaneHeader.BYTES, bytes);
                }
                LateFaults.tell();
                made = true;
            } finally {
                if (!made) {
                    lanes.slots().give(slot);
                }
            }
            lanes.post(lane, slot, LaneHeader.BYTES + bytes);
            return true;
        }

        @Override
        public void end() {
            if (ways[to.own()] == this) {
                ways[to.own()] = null;
            }
        }
    }

    /** @param end null: nothing comes by it */
    DatagramWay begin(RemoteConnection to, Pair pair, DatagramWay.End end) {
        if (to.own() < 1 || to.own() > MOST_WAYS || to.own() < ways.length && ways[to.own()] != null) {
            throw new RefusedException(Refusal.BUSY, "way number=" + to.own() + " is taken, or none");
        }
        if (to.own() >= ways.length) {
            ways = Arrays.copyOf(ways, Math.max(2 * ways.length, to.own() + 1));
        }
        One way = new One(to, pair, end);
        ways[to.own()] = way;
        return way;
    }

    /** Tells whether a message makes sense as a datagram, whatever it is for. */
    static boolean isOne(ByteBuffer m, int at, int length) {
        int opcode = LaneHeader.opcode(m, at);
        return length <= MOST_BYTES && (opcode == Wqe.SEND || opcode == Wqe.SEND_IMM);
    }

    /** Takes one that makes sense; false when it is of no way that brings any from there. */
    boolean take(Pair pair, ByteBuffer m, int at, int length) {
        int number = LaneHeader.destination(m, at);
        One way = number > 0 && number < ways.length ? ways[number] : null;
        if (way == null || way.pair != pair || way.end == null || way.to.peer() != LaneHeader.source(m, at)
                || way.to.epoch() != LaneHeader.epoch(m, at)) {
            return false;
        }
        long numbers = LaneHeader.address(m, at);
        way.end.arrived(m, at + LaneHeader.BYTES, length, LaneHeader.opcode(m, at) == Wqe.SEND_IMM,
                LaneHeader.immediate(m, at), (int) numbers & NUMBER, (int) (numbers >>> 32), LaneHeader.rkey(m, at));
        return true;
    }
}
