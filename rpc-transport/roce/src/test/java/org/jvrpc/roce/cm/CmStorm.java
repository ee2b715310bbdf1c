package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jvrpc.roce.cm.CmNode.Message;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Very many messages at a manager: those of a peer, once or more often, late, from another address, or with one field
 * or bit changed. Nothing is thrown; a consumer hears of each request, reply and end once; half-open connections are
 * capped, and a source that has not shown that it gets what is sent to it draws no more than it sent; nothing stays.
 */
public final class CmStorm {

    private static final long MS = CmNetwork.MS;
    private static final int STEPS = 300;
    private static final int MOST_KEPT = 32;
    private static final int MOST_HALF_OPEN = 6;
    private static final int OTHER = 3;
    private static final int[] EXTREMES = {0, 1, -1, 0x7fffffff, 0x80000000, 0xffff, 0xff000000, 0x100};
    /** Where connection management's messages end, but for a REQ's private data. */
    private static final int USED = Mad.BODY + 140;

    private long messages;
    private long established;

    /** One life of two managers. */
    private final class Life {

        private final SplittableRandom random;
        private final CmNode client;
        private final CmNode server;
        private final CmPeer other;
        private final List<Message> kept = new ArrayList<>();
        private final Map<CmConnection, CmNode> known = new LinkedHashMap<>();
        private final Map<CmConnection, Map<CmEvent.Kind, Integer>> heard = new HashMap<>();
        private long nowNs;
        /** Messages of a source of which no connection is proven: those it sent, and those it drew. */
        private long offered;
        private long drawn;

        Life(SplittableRandom random) {
            this.random = random;
            CmSettings settings = CmSettings.defaults().withHalfOpen(MOST_HALF_OPEN, 4, 2_000 * MS);
            client = new CmNode(1, random::nextInt, settings);
            server = new CmNode(2, random::nextInt, settings);
            other = new CmNode(OTHER).self;
            server.listen();
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(8) == 0) {
                    known.put(client.connect(server, nowNs), client);
                }
                pass(client, server);
                pass(server, client);
                if (!known.isEmpty() && random.nextInt(16) == 0) {
                    CmConnection c = known.keySet().iterator().next();
                    known.remove(c).manager.disconnect(c, nowNs);
                }
                later(random.nextInt(4) == 0 ? random.nextInt(3000) : random.nextInt(10));
            }
            end();
            end(); // those that asked for one meanwhile
            FuzzCheck.that(client.manager.isEmpty() && server.manager.isEmpty(), "connections stay, client="
                    + client.manager.size() + " server=" + server.manager.size());
        }

        private void end() {
            known.forEach((c, node) -> node.manager.disconnect(c, nowNs));
            known.clear();
            for (int step = 0; step < 60; step++) {
                later(3000);
                drain(client);
                drain(server);
            }
        }

        private void later(int ms) {
            nowNs += ms * MS;
            client.manager.tick(nowNs);
            server.manager.tick(nowNs);
        }

        private void pass(CmNode from, CmNode to) {
            for (Message m = from.sent.poll(); m != null; m = from.sent.poll()) {
                if (!m.to().equals(to.self)) {
                    drawn++;
                    FuzzCheck.that(drawn <= offered, "who has proven nothing draws more than it sent");
                    continue;
                }
                kept.add(m);
                for (int copies = 1 + random.nextInt(8); copies > 0; copies--) {
                    give(m, to);
                }
                if (random.nextInt(16) != 0) {
                    to.receive(m, nowNs); // as it is
                    messages++;
                }
            }
            if (kept.size() > MOST_KEPT) {
                kept.remove(random.nextInt(kept.size()));
            }
            if (!kept.isEmpty()) {
                Message late = kept.get(random.nextInt(kept.size()));
                give(late, late.to().equals(client.self) ? client : server);
            }
            drain(to);
            FuzzCheck.that(to.manager.halfOpen() <= MOST_HALF_OPEN, "halfOpen=" + to.manager.halfOpen());
        }

        private void give(Message m, CmNode to) {
            ByteBuffer mad = ByteBuffer.allocate(Mad.BYTES).put(0, m.mad(), 0, Mad.BYTES);
            int value = random.nextBoolean() ? EXTREMES[random.nextInt(EXTREMES.length)] : random.nextInt();
            switch (random.nextInt(8)) {
                case 0 -> mad.limit(random.nextInt(Mad.BYTES));
                case 1 -> mad.putShort(16, (short) (Mad.REQ + random.nextInt(8)));
                case 2, 3 -> mad.putInt(4 * random.nextInt(USED / 4), value);
                case 4 -> mad.put(random.nextInt(USED), (byte) value);
                case 5 -> {
                    int bit = random.nextInt(8 * Mad.BYTES);
                    mad.put(bit >>> 3, (byte) (mad.get(bit >>> 3) ^ 1 << (bit & 7)));
                }
                default -> { }
            }
            messages++;
            boolean stranger = random.nextInt(16) == 0;
            offered += stranger ? 1 : 0;
            to.manager.receive(mad, stranger ? other : m.from(), nowNs);
        }

        private void drain(CmNode node) {
            for (CmEvent e = node.event(); e != null; e = node.event()) {
                CmConnection c = e.connection();
                int times = heard.computeIfAbsent(c, any -> new EnumMap<>(CmEvent.Kind.class))
                        .merge(e.kind(), 1, Integer::sum);
                FuzzCheck.that(times == 1, e.kind() + " of one connection, times=" + times);
                switch (e.kind()) {
                    case REQUESTED -> {
                        known.put(c, node);
                        if (random.nextInt(8) != 0) {
                            node.accept(c, nowNs);
                        }
                    }
                    case REPLIED -> {
                        node.manager.ready(c, nowNs);
                    }
                    case ESTABLISHED -> established++;
                    default -> { }
                }
            }
        }
    }

    /** Gives managers at least so many messages; returns the seed that the next ones begin with. */
    long run(long seed, long count) {
        long life = seed;
        for (long until = messages + count; messages < until; life++) {
            try {
                new Life(new SplittableRandom(life)).run();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Djvrpc.storm.seed=" + life + ": " + e, e);
            }
        }
        return life;
    }

    long messages() {
        return messages;
    }

    @Override
    public String toString() {
        return "messages=" + messages + " established=" + established;
    }

    /** @param args first seed, messages */
    public static void main(String[] args) {
        CmStorm storm = new CmStorm();
        long startNs = System.nanoTime();
        long next = storm.run(Long.parseLong(args[0]), Long.parseLong(args[1]));
        double seconds = (System.nanoTime() - startNs) / 1e9;
        System.out.printf("seed=%s next=%d %s messages_per_s=%.0f%n", args[0], next, storm, storm.messages / seconds);
    }
}
