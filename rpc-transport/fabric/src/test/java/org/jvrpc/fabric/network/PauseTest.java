package org.jvrpc.fabric.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PauseTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1000000000, 512",
        "1, 10000000000, 52", // 51.2
        "1, 40000000000, 13", // 12.8
        "10, 40000000000, 128",
        "65535, 10000000000, 3355392",
        "65535, 40000000000, 838848",
        "65535, 100000000000, 335540", // 335539.2
        "0, 40000000000, 0"})
    void aQuantumIs512BitTimes(int quanta, long bitsPerSecond, long ns) {
        assertEquals(ns, Pause.durationNs(quanta, bitsPerSecond));
    }

    @Test
    void headroomHasTheCableTwiceAndThreeFrames() {
        // 300 m at 40 Gb/s: 3000 ns are 15000 bytes; three frames of 1086 + 20, and the pause of 64 + 20
        assertEquals(15_000 + 3 * 1106 + 84, Pause.headroomBytes(40_000_000_000L, 1500, 0, 1086));
        assertEquals(16_000 + 3 * 1106 + 84, Pause.headroomBytes(40_000_000_000L, 1500, 200, 1086));
    }

    /** Two ports, the first of which always has a frame. */
    private static final class Ends implements Device {
        private final Network network;
        private final int mac;
        private long received;
        private long lastNs;
        private boolean sends;

        Ends(Network network, boolean sends) {
            this.network = network;
            this.sends = sends;
            mac = network.nextMac();
        }

        @Override
        public int mac() {
            return mac;
        }

        @Override
        public boolean isHost() {
            return true;
        }

        @Override
        public void receive(Port port, Frame frame) {
            received++;
            lastNs = network.nowNs();
            network.release(frame);
        }

        @Override
        public Frame next(Port port, int ready) {
            if (!sends || (ready >> 3 & 1) == 0) {
                return null;
            }
            Frame frame = network.frame().address(mac, mac + 1, 0, 0, 3, 0);
            frame.length(1024 + 12);
            frame.setLane(3);
            return frame;
        }

        @Override
        public void left(Port port, Frame frame) {
        }

        @Override
        public void paused(Port port) {
        }
    }

    private final Network network = new Network(1, false, 1024);
    private final Ends a = new Ends(network, true);
    private final Ends b = new Ends(network, false);
    private final Port fromA = network.port(a, 0, 40_000_000_000L, 100);
    private final Port fromB = network.port(b, 0, 40_000_000_000L, 100);

    @Test
    void framesTakeTheirTimeOfTheLinkToTheBit() {
        Network.join(fromA, fromB);
        fromA.kick();
        network.events().runUntil(1_000_000);
        // (1086 + 20) bytes are 221.2 ns; the last came whole 100 ns after it had left
        assertEquals((1_000_000 - 100) * 10 / 2212, b.received);
        assertEquals(b.received * 2212 / 10 + 100, b.lastNs);
    }

    @Test
    void aPausedPriorityRestsUntilItsQuantaAreOver() {
        Network.join(fromA, fromB);
        fromB.pauses(100, 0); // 1280 ns
        fromA.kick();
        network.events().runUntil(10_000);
        fromB.pause(3);
        assertEquals(1 << 3, fromB.pausing());
        network.events().runUntil(10_200);
        assertEquals(1 << 3, fromA.paused());
        fromB.resume(3);
        network.events().runUntil(20_000);
        assertEquals(0, fromA.paused());
        long pausedNs = fromA.pausedNs(3);
        // from the arrival of the first (84 bytes and 100 ns) to that of the second, sent at 10,200
        assertEquals(200, pausedNs, 1);
        assertEquals(2, fromB.sentPauses());
        assertEquals(2, fromA.receivedPauses());
    }

    @Test
    void aPauseIsRefreshedWhileItLastsAndEndsByItselfWhenNobodyRefreshesIt() {
        Network.join(fromA, fromB);
        fromB.pauses(100, 0);
        fromB.pause(3);
        network.events().runUntil(1_000);
        fromA.kick();
        network.events().runUntil(100_000);
        assertEquals(0, b.received);
        assertEquals(1 + 100_000 / 640, fromB.sentPauses());
        assertEquals(1 << 3, fromA.paused());
    }

    @Test
    void othersThanThePausedPriorityAreSent() {
        Network.join(fromA, fromB);
        fromB.pause(5);
        fromA.kick();
        network.events().runUntil(100_000);
        assertEquals((100_000 - 100) * 10 / 2212, b.received);
    }

    @Test
    void aPauseIsObeyedAfterTheReactionTime() {
        Network.join(fromA, fromB);
        fromA.pauses(Pause.MOST_QUANTA, 500);
        fromB.pause(3);
        network.events().runUntil(100 + 16 + 499); // the pause takes 16.8 ns, of which whole ones count
        assertEquals(0, fromA.paused());
        network.events().runUntil(100 + 16 + 500);
        assertEquals(1 << 3, fromA.paused());
    }

    @Test
    void pausesAreCountedByPriorityAtBothEnds() {
        Network.join(fromA, fromB);
        fromB.pause(3);
        network.events().runUntil(10_000);
        fromB.resume(3);
        fromB.pause(5);
        network.events().runUntil(20_000);
        assertEquals("0 0 0 2 0 1 0 0", each(fromB::sentPauses));
        assertEquals("0 0 0 2 0 1 0 0", each(fromA::receivedPauses));
        assertEquals("0 0 0 0 0 0 0 0", each(fromA::sentPauses));
        assertEquals("0 0 0 1 0 0 0 0", each(fromA::pauseTransitions)); // 5 is paused still
        assertEquals(10_000, fromB.pausingNs(3));
        assertEquals(10_000, fromB.pausingNs(5));
        assertEquals(10_000, fromA.pausedNs(3), 20); // the second frame waits for none
    }

    private static String each(IntToLongFunction count) {
        return IntStream.range(0, Pause.PRIORITIES).mapToObj(i -> Long.toString(count.applyAsLong(i)))
                .collect(Collectors.joining(" "));
    }

    @Test
    void aPauseThatLapsesIsATransitionAndARefreshIsNone() {
        Network.join(fromA, fromB);
        fromB.pauses(100, 0); // 1280 ns, refreshed each 640
        fromB.pause(3);
        network.events().runUntil(50_000);
        assertEquals(0, fromA.pauseTransitions(3));
        assertEquals(50_000, fromB.pausingNs(3));
        fromB.resume(3);
        network.events().runUntil(60_000);
        assertEquals(1, fromA.pauseTransitions(3));
        fromB.pauses(1, 0); // 12.8 ns, which is less than a pause frame takes
        fromB.pause(5);
        network.events().runUntil(62_000);
        assertEquals(2_000 / 17, fromA.pauseTransitions(5), 10);
    }

    @Test
    void aSlowerRateHoldsFromTheNextFrameOnAndInOneDirectionOnly() {
        Network.join(fromA, fromB);
        fromA.kick();
        network.events().runUntil(1_000_000);
        long before = b.received;
        fromA.rate(4_000_000_000L);
        network.events().runUntil(2_000_000);
        assertEquals(1_000_000 / 2212, b.received - before, 2);
        assertEquals(4_000_000_000L, fromA.bitsPerSecond());
        assertEquals(40_000_000_000L, fromB.bitsPerSecond());
    }

    @Test
    void whatWasLeftOfANanosecondAtTheOldRateIsNotTakenAtTheNewOne() {
        Network.join(fromA, fromB);
        fromA.kick();
        network.events().runUntil(800); // the fourth frame is under way, until 884.8
        fromA.rate(4_000_000_000L);
        network.events().runUntil(3_500);
        assertEquals(5, b.received);
        assertEquals(884 + 2212 + 100, b.lastNs);
    }

    @Test
    void theRateThatAPortHasAlreadyChangesNothing() {
        Network.join(fromA, fromB);
        fromA.kick();
        network.events().runUntil(100_100);
        fromA.rate(40_000_000_000L);
        network.events().runUntil(1_000_000);
        assertEquals((1_000_000 - 100) * 10 / 2212, b.received);
        assertEquals(b.received * 2212 / 10 + 100, b.lastNs);
    }

    @Test
    void aPortThatBecameSlowStillRefreshesItsPausesBeforeTheyLapseAtTheFastEnd() {
        Network.join(fromA, fromB);
        fromB.pauses(1_000, 0).rate(4_000_000_000L);
        fromB.pause(3);
        network.events().runUntil(1_000);
        fromA.kick();
        network.events().runUntil(1_000_000);
        assertEquals(0, b.received);
        assertEquals(0, fromA.pauseTransitions(3));
    }

    @Test
    void aRateBelowOneBitASecondIsRefused() {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> fromA.rate(0));
        assertEquals("bitsPerSecond=0 least=1", refusal.getMessage());
    }
}
