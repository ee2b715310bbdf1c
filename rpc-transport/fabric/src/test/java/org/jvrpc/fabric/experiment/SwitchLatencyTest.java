package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.experiment.SwitchLatency.Result;
import org.jvrpc.fabric.experiment.SwitchLatency.Setup;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.trace.Watcher;

/** The orders that RPerf's paper tells of. */
class SwitchLatencyTest {

    private static final long RUN_NS = 2_000_000;

    private final Result alone = run(Scheduling.FIRST_COME, 0, false, false, false);

    private static Result run(Scheduling amongPorts, int bulks, boolean twoHops, boolean ownLane, boolean gamer) {
        return SwitchLatency.run(new Setup(amongPorts, bulks, twoHops, ownLane, gamer), RUN_NS, 1,
                Watcher.NOBODY);
    }

    @Test
    void firstComeMakesAShortMessageWaitForAllBulks() {
        Result two = run(Scheduling.FIRST_COME, 2, false, false, false);
        Result five = run(Scheduling.FIRST_COME, 5, false, false, false);
        assertTrue(two.medianNs() > 3 * alone.medianNs(), () -> alone + "\n" + two);
        assertTrue(five.medianNs() > two.medianNs() * 3 / 2, () -> two + "\n" + five);
    }

    @Test
    void roundRobinMakesItWaitForAPacketOfEachPort() {
        Result five = run(Scheduling.ROUND_ROBIN, 5, false, false, false);
        Result firstCome = run(Scheduling.FIRST_COME, 5, false, false, false);
        assertTrue(five.p99Ns() < alone.medianNs() + 7 * 222, () -> alone + "\n" + five);
        assertTrue(five.medianNs() * 3 < firstCome.medianNs(), () -> five + "\n" + firstCome);
    }

    @Test
    void roundRobinProtectsNobodyWhoSharesAnUplink() {
        Result oneHop = run(Scheduling.ROUND_ROBIN, 5, false, false, false);
        Result twoHops = run(Scheduling.ROUND_ROBIN, 5, true, false, false);
        assertTrue(twoHops.medianNs() > 3 * oneHop.medianNs(), () -> oneHop + "\n" + twoHops);
    }

    @Test
    void aLaneOfItsOwnRestoresItAndAGamerDestroysThat() {
        Result own = run(Scheduling.FIRST_COME, 5, false, true, false);
        assertTrue(own.p99Ns() < alone.medianNs() + 4 * 222, () -> alone + "\n" + own);
        Result game = run(Scheduling.FIRST_COME, 5, false, true, true);
        assertTrue(game.medianNs() > own.medianNs(), () -> own + "\n" + game);
        assertTrue(game.gamerGbps() > 40.0 / 6, () -> "more than its share: " + game);
    }
}
