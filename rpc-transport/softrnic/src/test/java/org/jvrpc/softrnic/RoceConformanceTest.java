package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.softrnic.proxy.ConformanceTraffic;
import org.jvrpc.softrnic.proxy.FaultProxy;
import org.jvrpc.softrnic.proxy.FaultSchedule;
import org.jvrpc.softrnic.proxy.FaultSchedule.Fate;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Two devices with a proxy between them that loses, damages, doubles and delays their packets by a seed: what
 * completes, arrives and stands in memory is what it is without faults.
 */
class RoceConformanceTest extends RoceEnds {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int MESSAGES = Integer.getInteger("jvrpc.conformance.messages", 200);

    private final int port = RoceUnderTest.freePort("127.0.0.1");

    /** The requester's record, then the responder's, of a connection by way of the proxy. */
    private List<String> run(FaultSchedule faults, boolean[] befell) throws Exception {
        InetAddress one = InetAddress.getByName("127.0.0.1");
        InetAddress between = InetAddress.getByName("127.0.0.2");
        InetAddress other = InetAddress.getByName("127.0.0.3");
        String options = "?udp=" + port + "&from=127.0.0.1";
        Device left = open("roce://127.0.0.2:7471" + options);
        Device right = open("roce://127.0.0.3:7471?udp=" + port);
        ShmEnd leftEnd = new ShmEnd(left, 16);
        ShmEnd rightEnd = new ShmEnd(right, 16);
        int access = Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        try (FaultProxy proxy = new FaultProxy(new InetSocketAddress(between, port), one, other, faults);
                Listener listener = right.listen("roce://127.0.0.3:7471?udp=" + port, rightEnd.channel);
                MemoryRegion leftMr = leftEnd.pd.allocate(ConformanceTraffic.MEMORY, access);
                MemoryRegion rightMr = rightEnd.pd.allocate(ConformanceTraffic.MEMORY, access)) {
            ConformanceTraffic asked =
                    ConformanceTraffic.responder(SEED, MESSAGES, rightEnd.qp, rightEnd.receiveCq, rightMr);
            CompletableFuture<Connection> connecting = connecting(left, "roce://127.0.0.2:7471" + options, leftEnd);
            Connection taken = request(listener).accept(rightEnd.qp, NONE);
            Connection made = connecting.join();
            ConformanceTraffic asks = ConformanceTraffic.requester(SEED, MESSAGES, leftEnd.qp, leftEnd.sendCq, leftMr,
                    rightMr.address(), rightMr.rkey());
            Waits.until("all completions; -Djvrpc.seed=" + SEED, () -> asks.step() & asked.step());
            List<String> record = new ArrayList<>(asks.record());
            record.addAll(asked.record());
            for (Fate fate : Fate.values()) {
                befell[fate.ordinal()] = proxy.befell(fate) > 0;
            }
            made.close();
            taken.close();
            leftEnd.qp.close();
            rightEnd.qp.close();
            return record;
        } finally {
            closeAll();
        }
    }

    @ParameterizedTest
    @CsvSource({"0.02, 0, 0, 0", "0, 0.02, 0, 0", "0, 0, 0.05, 0", "0, 0, 0, 0.02", "0.03, 0.03, 0.03, 0.03"})
    void whatCompletesAndWhatStandsInMemoryIsAsWithoutFaults(double loss, double damage, double doubles, double late)
            throws Exception {
        boolean[] befell = new boolean[Fate.values().length];
        List<String> expected = run(FaultSchedule.none(), befell);
        assertEquals(List.of(), expected.stream().filter(line -> line.contains("ERR")).toList());
        List<String> found = run(new FaultSchedule(SEED, loss, damage, doubles, late), befell);
        assertEquals(expected, found, "-Djvrpc.seed=" + SEED);
        assertTrue(befell[Fate.LOST.ordinal()] == loss > 0 && befell[Fate.DAMAGED.ordinal()] == damage > 0
                && befell[Fate.TWICE.ordinal()] == doubles > 0 && befell[Fate.LATE.ordinal()] == late > 0,
                "fates, -Djvrpc.seed=" + SEED);
    }

    @Test
    void aScheduleSaysTheSameOfEqualNumbersAndKeepsToItsProbabilities() {
        FaultSchedule schedule = new FaultSchedule(SEED, 0.1, 0.1, 0.1, 0.1);
        FaultSchedule same = new FaultSchedule(SEED, 0.1, 0.1, 0.1, 0.1);
        int[] counts = new int[Fate.values().length];
        for (int i = 0; i < 20_000; i++) {
            Fate fate = schedule.fate(i & 1, i / 2);
            assertEquals(fate, same.fate(i & 1, i / 2));
            counts[fate.ordinal()]++;
        }
        for (Fate fate : Fate.values()) {
            double share = counts[fate.ordinal()] / 20_000.0;
            assertEquals(fate == Fate.ARRIVES ? 0.6 : 0.1, share, 0.02, fate + ", -Djvrpc.seed=" + SEED);
        }
    }
}
