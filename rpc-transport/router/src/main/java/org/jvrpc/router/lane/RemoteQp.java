package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.RemoteWork;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;

/**
 * One connection between a tenant's QP here and one of another host. Messages have sequence numbers of each direction,
 * and are kept until word comes that they were executed: a lane loses nothing, but what cannot be executed yet is sent
 * again, with all behind it. The worker's thread.
 */
final class RemoteQp implements RemotePath.Way {

    /** The most messages that are not known to have come. */
    static final int WINDOW = 32;
    /** How long a peer may say that it has no room, or is being connected. */
    static final long BUSY_NS = 5_000_000_000L;
    /** A router says within some milliseconds that something came, or cannot be taken yet. */
    static final long SILENCE_NS = 8_000_000_000L;
    private static final long BUSY_RETRY_NS = 50_000;
    private static final int MASK = WINDOW - 1;
    private static final WcStatus[] STATUSES = WcStatus.values();

    private final RemoteConnection to;
    private final Pair pair;
    private final RemotePath.Local local;
    private final Holder holder;

    // What is sent.
    private final int[] slots = new int[WINDOW];
    private final int[] lengths = new int[WINDOW];
    private final long[] skips = new long[WINDOW];
    private final byte[] kinds = new byte[WINDOW];
    private final boolean[] lasts = new boolean[WINDOW];
    private int next;
    private int acked;
    private boolean broken;
    private boolean waits;
    private boolean resends;
    private int resendAt;
    private long againNs;
    private int tries;
    private long busySinceNs;
    private long heardNs;

    private final Requests requests;
    private final Direct direct;

    RemoteQp(RemoteConnection to, Pair pair, RemotePath.Local local, Holder holder) {
        this.to = to;
        this.pair = pair;
        this.local = local;
        this.holder = holder;
        holder.use(1);
        this.requests = new Requests(this, local);
        this.direct = new Direct(this, local);
    }

    RemoteConnection to() {
        return to;
    }

    Pair pair() {
        return pair;
    }

    Holder holder() {
        return holder;
    }

    Lane lane() {
        return pair.lanes().lane(to.epoch());
    }

    // Sending.

    @Override
    public int most() {
        return LaneSet.MOST_DATA;
    }

    @Override
    public boolean send(RemoteWork work, long skip, int bytes) {
        if (!hasRoom()) {
            return false;
        }
        LaneSet lanes = pair.lanes();
        int opcode = work.opcode();
        int slot = lanes.slots().take();
        boolean made = false;
        try {
            make(lanes.slots().memory(), Slots.at(slot), work, opcode, skip, bytes);
            local.touched();
            made = true;
        } finally {
            if (!made) {
                lanes.slots().give(slot);
            }
        }
        if (acked == next) {
            heardNs = lanes.polledNs();
        }
        int i = next++ & MASK;
        slots[i] = slot;
        lengths[i] = bytes;
        skips[i] = skip;
        kinds[i] = (byte) LaneHeader.kindOf(opcode, bytes > LaneSet.MOST_DATA);
        lasts[i] = skip + bytes == work.total();
        holder.hold(1);
        lanes.await(1);
        lanes.slots().share(slot);
        post(lanes, slot, LaneHeader.BYTES + LaneHeader.length(lanes.slots().memory(), Slots.at(slot)));
        return true;
    }

    @Override
    public int mostDirect(RemoteWork work, long skip) {
        int bytes = direct.most(work, skip);
        return bytes == 0 ? 0 : !hasRoom() ? -1 : direct.open(work, skip, bytes) ? bytes : 0;
    }

    private boolean hasRoom() {
        if (broken) {
            return false;
        }
        LaneSet lanes = pair.lanes();
        boolean room = lanes != null && !resends && next - acked < WINDOW && lane().mayRequest()
                && lanes.mayHold(holder);
        if (!room && !waits) {
            waits = true;
            pair.await(this);
        }
        return room;
    }

    private void make(ByteBuffer memory, int at, RemoteWork work, int opcode, long skip, int bytes) {
        boolean directly = bytes > LaneSet.MOST_DATA;
        int kind = LaneHeader.kindOf(opcode, directly);
        begin(memory, at, kind, next);
        LaneHeader.opcode(memory, at, opcode);
        if (directly) {
            direct.make(memory, at, work);
            return;
        }
        boolean oneSided = opcode != Wqe.SEND && opcode != Wqe.SEND_IMM;
        if (oneSided) {
            LaneHeader.remote(memory, at, work.remoteAddress() + (kind == LaneHeader.READ ? skip : 0), work.rkey());
        }
        LaneHeader.immediate(memory, at, work.immediate());
        if (kind == LaneHeader.DATA) {
            LaneHeader.part(memory, at, (int) work.total(), (int) skip);
            LaneHeader.length(memory, at, bytes);
            boolean last = skip + bytes == work.total();
            LaneHeader.flags(memory, at, last && work.isSignalled() && oneSided || next - acked >= WINDOW / 2
                    ? LaneHeader.ASKS : 0);
            if (bytes > 0) {
                work.data().gather(skip, memory, at + LaneHeader.BYTES, bytes);
            }
        } else if (kind == LaneHeader.READ) {
            LaneHeader.part(memory, at, bytes, 0);
        } else {
            int operands = Requests.operands(opcode);
            LaneHeader.length(memory, at, operands * Long.BYTES);
            for (int i = 0; i < operands; i++) {
                memory.putLong(at + LaneHeader.BYTES + i * Long.BYTES, work.operand(i));
            }
        }
    }

    void begin(ByteBuffer memory, int at, int kind, int sequence) {
        LaneHeader.begin(memory, at, kind, to.peer(), to.own(), to.epoch(), sequence);
    }

    /** Sends what lies in a slot, one user of which it is; tells what came besides. */
    void post(LaneSet lanes, int slot, int bytes) {
        LaneHeader.came(lanes.slots().memory(), Slots.at(slot), requests.say());
        lanes.post(lane(), slot, bytes);
    }

    /** Says something without data. */
    void say(int kind, int flags, int opcode, int sequence) {
        LaneSet lanes = pair.lanes();
        int slot = lanes.slots().take();
        ByteBuffer memory = lanes.slots().memory();
        int at = Slots.at(slot);
        begin(memory, at, kind, sequence);
        LaneHeader.flags(memory, at, flags);
        LaneHeader.opcode(memory, at, opcode);
        post(lanes, slot, LaneHeader.BYTES);
    }

    /** There is room, perhaps. */
    void room() {
        waits = false;
        local.again();
    }

    long againNs() {
        return againNs;
    }

    /** Sends again what was refused; true when all of it is on its way. */
    boolean resend() {
        LaneSet lanes = pair.lanes();
        if (!resends || lanes == null) {
            return true;
        }
        for (; resendAt != next; resendAt++) {
            if (!lane().mayRequest() || !lanes.mayAnswer()) {
                return false;
            }
            int i = resendAt & MASK;
            lanes.slots().share(slots[i]);
            int data = LaneHeader.length(lanes.slots().memory(), Slots.at(slots[i]));
            post(lanes, slots[i], LaneHeader.BYTES + data);
        }
        resends = false;
        local.again();
        return true;
    }

    /** Gives up when no word comes of what is under way; true when it did. */
    boolean endSilent(long nowNs) {
        boolean silent = !broken && acked != next && nowNs - heardNs > SILENCE_NS;
        if (silent) {
            fail(WcStatus.RETRY_EXC_ERR);
        }
        return silent;
    }

    /** Gives up what is under way, and has its owner told. */
    void fail(WcStatus status) {
        if (broken) {
            return;
        }
        boolean tells = acked != next;
        release();
        requests.direct().close(true);
        try {
            if (tells) {
                local.completed(status);
            } else {
                local.failed();
            }
        } catch (InternalError e) {
            local.vanished(e);
        }
    }

    private void release() {
        broken = true;
        direct.close(true);
        resends = false;
        for (; acked != next; acked++) {
            give(acked & MASK);
        }
    }

    private void give(int i) {
        holder.hold(-1);
        pair.lanes().await(-1);
        pair.lanes().slots().give(slots[i]);
    }

    @Override
    public void halt() {
        direct.close(true);
        requests.direct().close(true);
    }

    @Override
    public void end() {
        release();
        requests.end(pair.lanes());
        pair.end(this);
    }

    // What comes.

    /** Takes a message of this connection; false when it is none that the peer may send. */
    boolean take(ByteBuffer m, int at, int length, long nowNs) {
        heardNs = nowNs;
        int sequence = LaneHeader.sequence(m, at);
        int kind = LaneHeader.kind(m, at);
        switch (kind) {
            case LaneHeader.ANSWER:
                return answer(sequence, m, at, length);
            case LaneHeader.ACK:
                return length == 0 && acknowledge(LaneHeader.came(m, at));
            case LaneHeader.AGAIN:
                return length == 0 && acknowledge(sequence) && again(LaneHeader.flags(m, at), nowNs);
            case LaneHeader.FAILED:
                return length == 0 && acknowledge(sequence) && failed(LaneHeader.opcode(m, at));
            case LaneHeader.GRANT:
                return broken || length == 0 && isAlone(sequence, LaneHeader.ASK) && direct.granted(m, at);
            case LaneHeader.REDO:
                return broken || length == 0 && isAlone(sequence, LaneHeader.OFFER) && redo();
            case LaneHeader.DONE:
                return length == 0 && requests.direct().done(sequence, LaneHeader.flags(m, at));
            default:
                return acknowledge(LaneHeader.came(m, at)) && requests.take(kind, sequence, m, at, length, nowNs);
        }
    }

    /** All before a sequence came; false when that cannot be. */
    private boolean acknowledge(int before) {
        if (before - next > 0) {
            return false;
        }
        boolean some = before - acked > 0;
        while (before - acked > 0) {
            int i = acked & MASK;
            if (kinds[i] == LaneHeader.READ || kinds[i] == LaneHeader.ATOMIC || kinds[i] == LaneHeader.ASK) {
                return false; // these are answered
            }
            completed(i);
        }
        if (some && waits) {
            waits = false;
            local.again();
        }
        return true;
    }

    private void completed(int i) {
        acked++;
        tries = 0;
        busySinceNs = 0;
        if (resends && resendAt - acked < 0) {
            resendAt = acked;
        }
        give(i);
        boolean directly = kinds[i] >= LaneHeader.OFFER;
        if (directly) {
            direct.close(false);
        }
        if (lasts[i]) {
            try {
                local.completed(WcStatus.SUCCESS);
            } catch (InternalError e) {
                local.vanished(e);
            }
        } else if (directly) {
            local.wentDirectly(true);
        }
    }

    /** Tells whether all before a sequence came, and it is what went directly, with nothing behind it. */
    private boolean isAlone(int sequence, int least) {
        return acknowledge(sequence) && !broken && acked == sequence && next - acked == 1 && !resends
                && kinds[sequence & MASK] >= least && !direct.isReading();
    }

    /** What went directly has to go by copies. */
    private boolean redo() {
        direct.close(false);
        next--;
        give(next & MASK);
        local.wentDirectly(false);
        return true;
    }

    /** What was asked for was read, or not. */
    void read(boolean came) {
        say(LaneHeader.DONE, came ? 0 : LaneHeader.ABANDONED, 0, acked);
        if (came) {
            completed(acked & MASK);
            room();
        } else {
            redo();
        }
    }

    private boolean answer(int sequence, ByteBuffer m, int at, int length) {
        if (broken) {
            return true;
        }
        if (!acknowledge(sequence) || acked == next || acked != sequence) {
            return broken;
        }
        int i = sequence & MASK;
        if (kinds[i] != LaneHeader.READ && kinds[i] != LaneHeader.ATOMIC || lengths[i] != length) {
            return false;
        }
        boolean there;
        try {
            there = local.answer(skips[i], m, at + LaneHeader.BYTES, length);
        } catch (InternalError e) {
            local.vanished(e);
            there = false;
        }
        if (broken) {
            return true;
        }
        if (there) {
            completed(i);
            room();
        } else {
            fail(WcStatus.LOC_PROT_ERR);
        }
        return true;
    }

    private boolean again(int flags, long nowNs) {
        if (broken) {
            return true;
        }
        if (acked == next) {
            return false;
        }
        boolean busy = (flags & LaneHeader.BUSY) != 0;
        if (busy) {
            busySinceNs = busySinceNs == 0 ? nowNs : busySinceNs;
            if (nowNs - busySinceNs > BUSY_NS) {
                fail(WcStatus.RETRY_EXC_ERR);
                return true;
            }
        } else if (local.rnrRetry() != QueuePairAttributes.RNR_RETRY_FOREVER && tries++ >= local.rnrRetry()) {
            fail(WcStatus.RNR_RETRY_EXC_ERR);
            return true;
        }
        resendAt = acked;
        againNs = nowNs + (busy ? BUSY_RETRY_NS : local.rnrTimerNs());
        if (!resends) {
            resends = true;
            pair.lanes().back(this);
        }
        return true;
    }

    private boolean failed(int status) {
        if (broken) {
            return true;
        }
        if (status <= 0 || status >= STATUSES.length) {
            return false;
        }
        if (acked != next) { // else it only tells that it is gone
            fail(STATUSES[status]);
        }
        return true;
    }
}
