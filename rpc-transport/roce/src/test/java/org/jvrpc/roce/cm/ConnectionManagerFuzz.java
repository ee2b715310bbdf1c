package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any messages of three hosts at a manager whose consumer does anything at any time: {@code step:8 | which:8} or, for a
 * message, {@code 7:8 | attribute:8 | host:8 | id:8 | other id:8 | TID:8 | word:32}. Ids are small, so that an input
 * meets them. Nothing is thrown; a source that has shown nothing draws no more than it sent; half-open connections and
 * all that is kept are bounded; nothing stays in the end.
 */
public final class ConnectionManagerFuzz {

    private static final int STEPS = 8;
    private static final int HOSTS = 3;
    /** TIDs from here on are those of connections that were asked for. */
    private static final int ASKED = 128;
    private static final long TICK_NS = 50_000_000;
    private static final int MOST_HALF_OPEN = 6;
    private static final int MOST_RESTING = 8;
    private static final byte[] NONE = {};

    private final ByteBuffer input;
    private final long[] received = new long[HOSTS + 1];
    private final long[] sent = new long[HOSTS + 1];
    private final Set<Integer> proven = new HashSet<>();
    private final List<CmConnection> asked = new ArrayList<>();
    private final List<CmConnection> taken = new ArrayList<>();
    private final ConnectionManager manager;
    private int bits;
    private long nowNs;

    private ConnectionManagerFuzz(byte[] input) {
        this.input = ByteBuffer.wrap(input);
        CmSettings few = new CmSettings(TICK_NS, 10 * TICK_NS, 3, 2, 100 * TICK_NS, 40 * TICK_NS, 30 * TICK_NS,
                MOST_HALF_OPEN, 4, MOST_RESTING);
        manager = new ConnectionManager((mad, to) -> sent[(int) to.gid().low() & 3]++, few, () -> ++bits & 0xff, 5);
        manager.listen(Req.serviceId(1), "listener");
    }

    private static CmPeer host(int number) {
        return new CmPeer(Gid.of(new byte[] {10, 0, 0, (byte) number}), 4791);
    }

    public static void fuzzerTestOneInput(byte[] input) {
        new ConnectionManagerFuzz(input).run();
    }

    private void run() {
        while (input.remaining() >= 2 && asked.size() < 100) { // ids are bytes
            step(input.get() & 0xff, input.get() & 0xff);
            drain();
            FuzzCheck.that(manager.halfOpen() <= MOST_HALF_OPEN, "halfOpen=" + manager.halfOpen());
            for (int i = 0; i < HOSTS; i++) {
                FuzzCheck.that(proven.contains(i) || sent[i] <= received[i],
                        "host=" + i + " sent=" + sent[i] + " received=" + received[i]);
            }
        }
        asked.forEach(c -> manager.disconnect(c, nowNs));
        taken.forEach(c -> manager.disconnect(c, nowNs));
        for (int i = 0; i < 50; i++) {
            nowNs += 100 * TICK_NS;
            manager.tick(nowNs);
            drain();
        }
        FuzzCheck.that(manager.isEmpty(), "connections=" + manager.size());
    }

    private void step(int what, int which) {
        switch (what % STEPS) {
            case 0 -> asked.add(manager.connect(request(0, 0, HOSTS), host(HOSTS), "client", nowNs));
            case 1 -> on(taken, which, c -> manager.accept(c, reply(), nowNs));
            case 2 -> on(taken, which, c -> manager.reject(c, RejectReason.CONSUMER, NONE, nowNs));
            case 3 -> on(asked, which, c -> manager.ready(c, nowNs));
            case 4 -> on(which % 2 == 0 ? asked : taken, which / 2, c -> manager.disconnect(c, nowNs));
            case 5 -> on(which % 2 == 0 ? asked : taken, which / 2, c -> manager.heard(c, nowNs));
            case 6 -> {
                nowNs += which * TICK_NS;
                manager.tick(nowNs);
            }
            default -> message(which);
        }
    }

    private static void on(List<CmConnection> list, int which, Consumer<CmConnection> what) {
        if (!list.isEmpty()) {
            what.accept(list.get(which % list.size()));
        }
    }

    private static ConnectRequest request(long tid, int id, int from) {
        return new ConnectRequest(tid, id, Req.serviceId(1), 0, 0x20, 1, 1, 1, 3, 7, 7, 14, false, 1, host(from).gid(),
                host(9).gid(), NONE);
    }

    private static ConnectReply reply() {
        return new ConnectReply(0, 0, 0, 0, 0x20, 1, 1, 1, 7, false, NONE);
    }

    private void message(int attribute) {
        if (input.remaining() < 8) {
            return;
        }
        int from = (input.get() & 0xff) % (HOSTS + 1);
        int id = input.get() & 0xff;
        int other = input.get() & 0xff;
        int number = input.get() & 0xff;
        long tid = number < ASKED || asked.isEmpty() ? number : asked.get((number - ASKED) % asked.size()).tid;
        int word = input.getInt();
        ByteBuffer mad;
        if (Mad.REQ + attribute % STEPS == Mad.REQ) {
            mad = request(tid, id, from).encode();
            mad.put(Mad.BODY + 140 + 36, (byte) word).put(Mad.BODY + 15, (byte) (word >> 8 & 1 ^ 1));
        } else {
            mad = Mad.create(Mad.REQ + attribute % STEPS, tid).putInt(Mad.BODY, id).putInt(Mad.BODY + 4, other)
                    .putInt(Mad.BODY + 8, word).putInt(Mad.BODY + 12, word);
        }
        received[from]++;
        manager.receive(mad, host(from), nowNs);
    }

    private void drain() {
        for (CmEvent e = manager.poll(); e != null; e = manager.poll()) {
            if (e.kind() == CmEvent.Kind.REQUESTED) {
                taken.add(e.connection());
            }
        }
        taken.stream().filter(c -> c.proven).forEach(c -> proven.add((int) c.peer.gid().low() & 3));
    }
}
