package org.jvrpc.roce.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.roce.cm.CmNetwork.Fate;
import org.jvrpc.roce.cm.CmNode.Message;
import org.jvrpc.roce.cm.message.Mad;

/** Random schedules of two managers and a bad network: both sides agree, or both fail, and nothing stays. */
class CmScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("jvrpc.cm.schedules", 500);
    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final long MS = CmNetwork.MS;

    @ParameterizedTest
    @CsvSource({"0, 0, 5", "0.2, 0, 5", "0, 0.5, 100", "0.3, 0.3, 200", "0.7, 0.2, 100", "1, 0, 5"})
    void bothSidesAgreeOrBothFailAndNothingStays(double loss, double doubles, long delayMs) {
        int established = 0;
        for (int i = 0; i < SCHEDULES; i++) {
            established += schedule(SEED + i, loss, doubles, delayMs);
        }
        assertEquals(loss < 1, established > 0, "established=" + established + " -Djvrpc.seed=" + SEED);
    }

    private int schedule(long seed, double loss, double doubles, long delayMs) {
        CmNetwork net = new CmNetwork(seed);
        net.loss = loss;
        net.doubles = doubles;
        net.longestDelayNs = delayMs * MS;
        net.packets = net.random.nextBoolean();
        for (int i = 1 + net.random.nextInt(4); i > 0; i--) {
            net.at(net.delay(300 * MS), () -> live(net, net.connect()));
        }
        String what = "-Djvrpc.seed=" + seed + " loss=" + loss + " doubles=" + doubles + " delayMs=" + delayMs;
        assertTrue(net.run(20_000), "it goes on for ever: " + what);
        assertTrue(net.client.manager.isEmpty() && net.server.manager.isEmpty(), "something stays: " + what);
        net.fates.forEach(fate -> check(fate, net, what));
        return (int) net.fates.stream().filter(fate -> fate.established).count();
    }

    /** What the consumers do with a connection later on. */
    private static void live(CmNetwork net, Fate fate) {
        long mostNs = 100_000 * MS; // each asks for 50 s at most, and waits for 20
        if (net.random.nextInt(4) == 0) {
            net.at(net.delay(300 * MS), () -> net.client.manager.disconnect(fate.asked, net.nowNs));
        }
        net.at(mostNs + net.delay(100 * MS), () -> net.client.manager.disconnect(fate.asked, net.nowNs));
        net.at(mostNs + net.delay(100 * MS), () -> {
            if (fate.taken != null) {
                net.server.manager.disconnect(fate.taken, net.nowNs);
            }
        });
    }

    private static void check(Fate fate, CmNetwork net, String what) {
        assertFalse(fate.requestedTwice, "a request that is open is delivered again: " + what);
        assertFalse(fate.established && !fate.ready, "established with one who is not ready: " + what);
        assertFalse(fate.ready && !fate.accepted, "ready for one who did not accept: " + what);
        assertFalse(fate.established && fate.refused, "established and refused: " + what);
        assertFalse(fate.replied && fate.refused, "replied and refused: " + what);
        if (fate.accepted && !fate.established) {
            assertTrue(fate.takenEnded || fate.taken.closing, "who accepted in vain is told: " + what);
        }
        if (fate.ready && net.packets) {
            assertTrue(fate.established || fate.takenEnded || fate.taken.closing, "both are connected: " + what);
        }
    }

    /** Messages that were changed on the way, as one of 65,536 damaged ones passes the check of packets. */
    @Test
    void changedMessagesBreakNothingAndNothingStays() {
        for (int i = 0; i < SCHEDULES; i++) {
            Random random = new Random(SEED + i);
            CmNode client = new CmNode(1, random::nextInt, CmSettings.defaults());
            CmNode server = new CmNode(2, random::nextInt, CmSettings.defaults());
            server.listen();
            long nowNs = 0;
            List<CmConnection> asked = new ArrayList<>();
            List<CmConnection> taken = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                if (random.nextInt(10) == 0) {
                    asked.add(client.connect(server, nowNs));
                }
                pass(client, server, random, nowNs, taken);
                pass(server, client, random, nowNs, taken);
                nowNs += random.nextInt(30) * MS;
                client.manager.tick(nowNs);
                server.manager.tick(nowNs);
            }
            long end = nowNs;
            asked.forEach(c -> client.manager.disconnect(c, end));
            taken.forEach(c -> server.manager.disconnect(c, end));
            for (int step = 0; step < 100; step++) {
                nowNs += 1000 * MS;
                client.manager.tick(nowNs);
                server.manager.tick(nowNs);
            }
            assertTrue(client.manager.isEmpty() && server.manager.isEmpty(), "-Djvrpc.seed=" + (SEED + i));
        }
    }

    private static void pass(CmNode from, CmNode to, Random random, long nowNs, List<CmConnection> taken) {
        for (Message m = from.sent.poll(); m != null; m = from.sent.poll()) {
            ByteBuffer mad = m.mad();
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(Mad.BYTES);
                mad.put(at, (byte) (mad.get(at) ^ 1 << random.nextInt(8)));
            }
            to.receive(m, nowNs);
        }
        for (CmEvent e = to.event(); e != null; e = to.event()) {
            switch (e.kind()) {
                case REQUESTED -> {
                    taken.add(e.connection());
                    to.accept(e.connection(), nowNs);
                }
                case REPLIED -> to.manager.ready(e.connection(), nowNs);
                default -> { }
            }
        }
    }
}
