package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.SendWork.Operation;

/** The shapes that SIGCOMM'16 tells of, in short runs; {@code EXPERIMENTS.md} has the long ones. */
class ExperimentTest {

    private static final long MS = 1_000_000;
    private static final long SEED = 1;

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"SEND", "WRITE", "READ"})
    void goBackZeroLivesAndGetsNowhere(Operation operation) {
        Livelock.Result livelock = Livelock.run(operation, true, 20 * MS, SEED, Watcher.NOBODY);
        assertEquals(0, livelock.messages(), livelock::toString);
        assertTrue(livelock.linkGbps() > 35, livelock::toString);
        Livelock.Result cure = Livelock.run(operation, false, 20 * MS, SEED, Watcher.NOBODY);
        assertTrue(cure.goodputGbps() > 30, cure::toString);
        // each loss costs what was on the way, at most: a window
        assertTrue(cure.resent() <= cure.lost() * 128, cure::toString);
    }

    @Test
    void floodingClosesACycleOfPausesThatOutlivesItsCause() {
        Deadlock.Result deadlock = Deadlock.run(false, BufferSettings.defaults(), 12 * MS, 50 * MS, SEED,
                Watcher.NOBODY);
        assertTrue(deadlock.flooded() > 0, deadlock::toString);
        assertEquals("[T0 port 5, La port 1, T1 port 6, Lb port 0]", deadlock.cycle().toString());
        assertEquals(deadlock.cycle(), deadlock.cycleLater());
        assertTrue(deadlock.heldBytes() > 1_000_000, deadlock::toString);
        assertEquals(0, deadlock.headroomDrops());
    }

    @Test
    void withoutFloodingThereIsNoCycle() {
        Deadlock.Result cure = Deadlock.run(true, BufferSettings.defaults(), 12 * MS, 50 * MS, SEED, Watcher.NOBODY);
        assertEquals("[] []", cure.cycle() + " " + cure.cycleLater());
        assertEquals(0, cure.flooded() + cure.heldBytes());
        assertTrue(cure.incastBytes() > 40_000_000, cure::toString);
    }

    private static PauseStorm.Result storm(long nicWatchdogNs, long switchWatchdogNs) {
        return PauseStorm.run(new PauseStorm.Times(nicWatchdogNs, switchWatchdogNs, 2 * MS, 3 * MS),
                BufferSettings.defaults().withAlpha(1.0 / 64), 10_000_000_000L, SEED, Watcher.NOBODY);
    }

    @Test
    void oneNicsPausesStopTheNetwork() {
        PauseStorm.Result storm = storm(0, 0);
        assertTrue(storm.unhealthy() * 2 >= storm.hosts(), storm::toString);
        assertEquals(0, storm.headroomDrops());
    }

    @Test
    void eitherWatchdogSavesTheOthers() {
        PauseStorm.Result byNic = storm(MS, 0);
        assertEquals(0, byNic.unhealthy(), byNic::toString);
        assertEquals(1, byNic.nicTrips(), byNic::toString);
        PauseStorm.Result bySwitch = storm(0, MS);
        assertEquals(0, bySwitch.unhealthy(), bySwitch::toString);
        assertEquals(1, bySwitch.switchTrips(), bySwitch::toString);
        assertTrue(bySwitch.watchdogDrops() > 0, bySwitch::toString);
    }

    @Test
    void missingTranslationsMakeASlowReceiverAndLargePagesCureIt() {
        BufferSettings buffer = BufferSettings.defaults();
        SlowReceiver.Result slow = SlowReceiver.run(4096, 1000, 64 << 10, 0, buffer, 10 * MS, SEED, Watcher.NOBODY);
        assertTrue(slow.pausesPerSecond() > 1000, slow::toString);
        assertEquals(0, slow.drops());
        SlowReceiver.Result cure = SlowReceiver.run(2 << 20, 1000, 64 << 10, 0, buffer, 10 * MS, SEED, Watcher.NOBODY);
        assertEquals(0, cure.pausesPerSecond(), cure::toString);
        SlowReceiver.Result quick = SlowReceiver.run(4096, 500, 64 << 10, 0, buffer, 10 * MS, SEED, Watcher.NOBODY);
        assertEquals(0, quick.pausesPerSecond(), quick::toString);
    }

    @Test
    void dynamicBuffersKeepPausesOfASlowReceiverFromSenders() {
        BufferSettings dynamic = BufferSettings.defaults();
        SlowReceiver.Result fixed =
                SlowReceiver.run(4096, 2000, 1 << 20, MS, dynamic.withFixed(180_000), 10 * MS, SEED, Watcher.NOBODY);
        SlowReceiver.Result shared = SlowReceiver.run(4096, 2000, 1 << 20, MS, dynamic, 10 * MS, SEED, Watcher.NOBODY);
        assertTrue(fixed.senderPausesPerSecond() > 0, fixed::toString);
        assertTrue(shared.pausesPerSecond() > 0, shared::toString);
        assertEquals(0, shared.senderPausesPerSecond(), shared::toString);
    }

    @Test
    void aSmallerAlphaPausesWhereALargerDoesNot() {
        AlphaThreshold.Result sixteenth = AlphaThreshold.run(1.0 / 16, 260, 2048, 10 * MS, 35 * MS, SEED,
                Watcher.NOBODY);
        AlphaThreshold.Result less = AlphaThreshold.run(1.0 / 64, 260, 2048, 10 * MS, 35 * MS, SEED, Watcher.NOBODY);
        assertEquals(0, sixteenth.pauses(), sixteenth::toString);
        assertTrue(less.pauses() > 100, less::toString);
        assertEquals(0, sixteenth.drops() + less.drops());
        assertEquals(3, less.bursts());
    }

    @Test
    void hopsAreCounted() {
        assertTrue(HopRate.run(new PrintStream(OutputStream.nullOutputStream()), SEED) > 0);
    }
}
