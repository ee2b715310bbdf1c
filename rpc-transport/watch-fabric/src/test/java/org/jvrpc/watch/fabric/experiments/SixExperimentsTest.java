package org.jvrpc.watch.fabric.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.network.Scheduling;

/** The orders that RPerf's paper tells of, as rperf measures them; and where ours is another. */
class SixExperimentsTest {

    private static final long RUN_NS = 2_000_000;
    /** A frame of 1024 bytes of a message at 40 Gb/s, with its gap. */
    private static final long PACKET_NS = 222;
    private static final long SEED = 1;
    private static final double FAIR_GBPS = 40.0 / 6;

    private static Measured run(Setup setup) {
        Measured measured = SwitchRun.run(setup, RUN_NS, SEED);
        assertNull(measured.lsg().trouble());
        assertEquals(0, measured.lsg().missed() + measured.lsg().unfinished(), "messages that were due, " + setup);
        assertTrue(measured.lsg().pairs() > 300, "enough to have a median: " + measured);
        return measured;
    }

    private static Measured firstCome(int bulks) {
        return run(Setup.of(Scheduling.FIRST_COME, bulks));
    }

    private static Measured roundRobin(int bulks) {
        return run(Setup.of(Scheduling.ROUND_ROBIN, bulks));
    }

    @Test
    void experiment1UnderFirstComeAShortMessageWaitsForTheQueueOfEachBulk() {
        Measured before = firstCome(0);
        for (int bulks = 1; bulks <= 5; bulks++) {
            Measured more = firstCome(bulks);
            assertTrue(more.p50Ns() > before.p50Ns() + 20 * PACKET_NS, before + "\n" + more);
            assertTrue(more.bulkGbps() > 35, "and bulks fill the link: " + more);
            before = more;
        }
    }

    @Test
    void experiment2LargerMessagesOfBulksMakeItWaitLonger() {
        Measured before = run(Setup.of(Scheduling.FIRST_COME, 5).withBytes(256));
        for (int bytes = 512; bytes <= 4096; bytes *= 2) {
            Measured larger = run(Setup.of(Scheduling.FIRST_COME, 5).withBytes(bytes));
            assertTrue(larger.p50Ns() > before.p50Ns() * 3 / 2, before + "\n" + larger);
            before = larger;
        }
    }

    @Test
    void experiment2UnderRoundRobinAMessageCountsAsItsPacketsAndNoLonger() {
        Measured small = run(Setup.of(Scheduling.ROUND_ROBIN, 5).withBytes(256));
        Measured packet = run(Setup.of(Scheduling.ROUND_ROBIN, 5).withBytes(1024));
        Measured four = run(Setup.of(Scheduling.ROUND_ROBIN, 5).withBytes(4096));
        assertTrue(packet.p50Ns() > small.p50Ns() * 3 / 2, small + "\n" + packet);
        assertTrue(Math.abs(four.p50Ns() - packet.p50Ns()) < PACKET_NS / 2, packet + "\n" + four);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void experiment3UnderRoundRobinItWaitsForOnePacketAtMostOfEachBulk(int bulks) {
        Measured alone = roundRobin(0);
        Measured measured = roundRobin(bulks);
        assertTrue(measured.p99Ns() <= alone.p99Ns() + bulks * PACKET_NS, alone + "\n" + measured);
        assertTrue(measured.p50Ns() > alone.p50Ns() + bulks * PACKET_NS / 4, alone + "\n" + measured);
        assertTrue(measured.p50Ns() * 20 < firstCome(bulks).p50Ns(), measured.toString());
    }

    @Test
    void experiment4OverTwoHopsRoundRobinProtectsNobody() {
        Measured one = roundRobin(5);
        Measured two = run(Setup.of(Scheduling.ROUND_ROBIN, 5).overTwoHops());
        assertTrue(two.p50Ns() > 50 * one.p50Ns(), one + "\n" + two);
        Measured firstCome = run(Setup.of(Scheduling.FIRST_COME, 5).overTwoHops());
        assertTrue(two.p50Ns() > firstCome.p50Ns(), "it is even worse than first come: " + firstCome + "\n" + two);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIRST_COME", "ROUND_ROBIN"})
    void experiment5ALaneOfItsOwnRestoresIt(Scheduling policy) {
        Measured alone = run(Setup.of(policy, 0));
        Measured own = run(Setup.of(policy, 5).withOwnLane());
        assertTrue(own.p99Ns() <= alone.p99Ns() + PACKET_NS, "the frame that is on the link: " + alone + "\n" + own);
        assertTrue(own.bulkGbps() > 35, own.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1024})
    void experiment6AGamerThatFillsThatLaneDestroysItUnderFirstComeAndWins(int bytes) {
        Measured own = run(Setup.of(Scheduling.FIRST_COME, 5).withOwnLane());
        Measured game = run(Setup.of(Scheduling.FIRST_COME, 5).withGamer(bytes));
        assertTrue(game.p50Ns() > 20 * own.p50Ns(), own + "\n" + game);
        assertTrue(game.gamerGbps() > 4 * FAIR_GBPS, game.toString());
        assertTrue(game.bulkGbps() < 1, "and bulks starve: " + game);
    }

    /** Posting one takes 80 ns, the frame 71: the lane never fills. What it wins, it wins all the same. */
    @Test
    void experiment6AGamerOf256BytesCannotFillTheLaneAndWinsBandwidthAlone() {
        Measured own = run(Setup.of(Scheduling.FIRST_COME, 5).withOwnLane());
        Measured game = run(Setup.of(Scheduling.FIRST_COME, 5).withGamer(256));
        assertTrue(game.gamerGbps() > 3 * FAIR_GBPS, game.toString());
        assertTrue(game.p50Ns() > own.p50Ns() && game.p50Ns() < own.p50Ns() + PACKET_NS / 2, own + "\n" + game);
    }

    /** Not the paper's order, which has one policy: ports of a lane take turns here, and the gamer has one turn. */
    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024})
    void experiment6UnderRoundRobinAmongPortsAGamerWinsBandwidthAndDestroysNothing(int bytes) {
        Measured own = run(Setup.of(Scheduling.ROUND_ROBIN, 5).withOwnLane());
        Measured game = run(Setup.of(Scheduling.ROUND_ROBIN, 5).withGamer(bytes));
        assertTrue(game.gamerGbps() > 3 * FAIR_GBPS, game.toString());
        assertTrue(game.p99Ns() <= own.p99Ns() + PACKET_NS, own + "\n" + game);
    }

    @Test
    void whatHostsCostIsNotInWhatRperfTells() {
        Setup setup = Setup.of(Scheduling.ROUND_ROBIN, 3);
        Measured cheap = SwitchRun.run(setup, new HostCosts(0, 0, 0, 0, 0, 0), RUN_NS, SEED);
        Measured dear = SwitchRun.run(setup, new HostCosts(80, 1_350, 10, 1_250, 10, 20), RUN_NS, SEED);
        assertTrue(dear.lsg().wire().p50Ns() > cheap.lsg().wire().p50Ns() + 2_500, cheap + "\n" + dear);
        assertTrue(Math.abs(dear.p50Ns() - cheap.p50Ns()) < PACKET_NS / 2, cheap + "\n" + dear);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void theOrdersHoldWhateverTheSeedButTheLast(long seed) {
        List<Order> orders = Order.of(SixExperiments.run(RUN_NS, seed, () -> { }));
        assertEquals(8, orders.size());
        orders.subList(0, 7).forEach(order -> assertTrue(order.holds(), order + " seed=" + seed));
        assertFalse(orders.get(7).holds(), orders.get(7) + " seed=" + seed);
        assertFalse(orders.get(7).isOfThePaper());
    }

    @Test
    void aPictureHasAPanelForEachAndABarForEachPolicy() {
        List<SixExperiments.Panel> panels = SixExperiments.run(100_000, SEED, () -> { });
        assertEquals(5, panels.size(), "1 and 3 share one");
        String svg = SixSvg.of(panels, "a < b & c");
        int bars = panels.stream().mapToInt(panel -> panel.rows().size() * 2).sum();
        assertEquals(bars + 3, svg.split("<rect ", -1).length - 1, "bars, a ground, and two of the legend");
        assertTrue(svg.contains("a &lt; b &amp; c"));
        assertEquals("95 ns", SixSvg.time(95));
        assertEquals("1 us", SixSvg.time(1000));
        assertEquals("1.45 us", SixSvg.time(1450));
        assertEquals("70 us", SixSvg.time(70_432));
    }

    @Test
    void aSetupThatIsNoneIsRefusedWithItsValues() {
        String message = assertThrows(IllegalArgumentException.class, () -> Setup.of(Scheduling.FIRST_COME, 6))
                .getMessage();
        assertEquals("bulks=6 bulkBytes=4096", message);
        assertThrows(IllegalArgumentException.class, () -> Setup.of(Scheduling.FIRST_COME, 1).withBytes(8192));
        assertThrows(IllegalArgumentException.class, () -> Setup.of(Scheduling.FIRST_COME, 1).withGamer(1));
    }
}
