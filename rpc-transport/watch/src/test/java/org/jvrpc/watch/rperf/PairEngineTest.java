package org.jvrpc.watch.rperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.WcStatus;

/** What is measured of pairs whose times are known. */
class PairEngineTest {

    private static final long MS = 1_000_000;

    private final FakePort port = new FakePort(64);

    private RperfResult run(LoadPattern pattern) {
        return run(pattern, 0, 10 * MS);
    }

    private RperfResult run(LoadPattern pattern, long warmUpNs, long durationNs) {
        PairEngine engine = new PairEngine(port, pattern, warmUpNs, durationNs);
        port.run(engine);
        assertTrue(engine.isDone());
        return engine.result("test");
    }

    private static LoadPattern pattern() {
        return LoadPattern.ofBytes(64);
    }

    /** Histograms have three digits. */
    private static void near(double expected, double found) {
        assertEquals(expected, found, expected * 0.001);
    }

    @Test
    void theRoundTripIsTheTimeOverTheWireWithoutTheTimeByLoopback() {
        RperfResult result = run(pattern());
        near(2_000, result.rtt().meanNs());
        near(2_000, result.rtt().p50Ns());
        near(2_000, result.rtt().p9999Ns());
        near(2_500, result.wire().p50Ns());
        near(500, result.loopback().p50Ns());
        assertTrue(result.isSubtracted());
        assertEquals(0, result.unfinished());
        near(10 * MS / 2_501, result.pairs());
    }

    /** One of four takes 100 ns less over the wire than by loopback. */
    @Test
    void samplesOfZeroAndLessAreCountedAndShown() {
        port.wireNs = n -> n % 8 < 2 ? 400 : 2_500;
        RperfResult result = run(pattern());
        assertEquals(result.pairs() / 4.0, result.zeroOrLess(), 1);
        assertEquals(result.pairs() - result.zeroOrLess(), result.rtt().count());
        near(2_000, result.rtt().meanNs());
        near((3 * 2_000 - 100) / 4.0, result.meanOfAllNs());
        String text = ResultText.of(result);
        assertTrue(text.contains(String.format("%,d samples of 0 and less", result.zeroOrLess())), text);
    }

    @Test
    void theOrderOfPostingAlternatesAndWhatTheSecondWaitsIsTakenOut() {
        port.secondWaitsNs = 300;
        RperfResult result = run(pattern());
        assertEquals(port.posts / 2.0, port.loopbackFirsts, 1);
        near(2_300, result.loopbackFirstP50Ns());
        near(1_700, result.wireFirstP50Ns());
        assertEquals(300, result.secondWaitsNs(), 3);
        assertEquals(2_000, result.rtt().meanNs(), 4);
        assertEquals(2_000, result.rtt().p50Ns(), 4);
        assertEquals(2_000, result.rtt().p99Ns(), 4);
    }

    @Test
    void whatLoopbacksOwnBitsTakeIsAddedWhereThatIsKnown() {
        port.loopbackBitsNs = 37.6;
        port.secondWaitsNs = 300;
        RperfResult result = run(pattern());
        assertEquals(2_038, result.rtt().meanNs(), 4);
        assertEquals(2_038, result.rtt().p50Ns(), 4);
        near(2_300, result.loopbackFirstP50Ns());
        assertTrue(ResultText.of(result).contains("for 0.038 us, which is known here and added back"));
        assertTrue(ResultJson.of(List.of(result), List.of()).contains("\"loopbackBitsNs\":37.6"));
    }

    /** Else the bits of a short way would be taken for those of none. */
    @Test
    void aSampleThatIsBelowZeroByLoopbacksOwnBitsAloneIsAboveZero() {
        port.wireNs = n -> 490;
        port.loopbackBitsNs = 38;
        RperfResult result = run(pattern());
        assertEquals(0, result.zeroOrLess());
        assertEquals(28, result.rtt().p50Ns(), 1);
    }

    @Test
    void whereItIsNotKnownNothingIsAddedAndThatIsSaid() {
        RperfResult result = run(pattern());
        near(2_000, result.rtt().meanNs());
        assertTrue(Double.isNaN(result.loopbackBitsNs()));
        assertTrue(ResultText.of(result).contains("is unknown, so that they are subtracted, too"));
        assertTrue(ResultJson.of(List.of(result), List.of()).contains("\"loopbackBitsNs\":null"));
    }

    @Test
    void withoutLoopbackTheEndPointsAreInItAndThatIsSaid() {
        port.loops = false;
        RperfResult result = run(pattern());
        assertFalse(result.isSubtracted());
        near(2_500, result.rtt().p50Ns());
        String text = ResultText.of(result);
        assertTrue(text.contains("NOT SUBTRACTED") && text.contains("datagrams alone"), text);
        assertTrue(ResultJson.of(List.of(result), List.of()).contains("\"subtracted\":false"));
    }

    @Test
    void messagesKeepToTheirRate() {
        RperfResult result = run(pattern().withRate(100_000).withOutstanding(4), 0, 100 * MS);
        assertEquals(10_000, result.pairs(), 1);
        near(100_000, result.rate());
        assertEquals(0, result.missed());
        assertFalse(result.rtt().isEnough(), "10^4 samples are too few for p99.99");
    }

    /** Of five in five periods, four lie between the first and the last. */
    @Test
    void aRateOfFewMessagesIsOneOfAllTheTimeThatWasMeasured() {
        RperfResult result = run(pattern().withRate(1_000), 0, 5 * MS);
        assertEquals(5, result.pairs());
        near(1_000, result.rate());
        near(0.005, result.seconds());
    }

    @Test
    void aRateThatIsAskedForMeanwhileIsOneOfTheTimeSoFar() {
        PairEngine engine = new PairEngine(port, pattern().withRate(1_000), MS, 100 * MS);
        engine.advance();
        for (int i = 0; i < 10; i++) {
            port.nowNs += MS;
            engine.advance();
        }
        port.nowNs += MS - 1;
        engine.advance();
        near(1_000, engine.result("x").rate());
    }

    @Test
    void whatEndsEarlyIsMeasuredUntilThen() {
        PairEngine engine = new PairEngine(port, pattern().withRate(1_000), 0, 100 * MS);
        engine.advance();
        for (int i = 0; i < 9; i++) {
            port.nowNs += MS;
            engine.advance();
        }
        port.status = WcStatus.RETRY_EXC_ERR;
        port.nowNs += MS;
        engine.advance();
        port.nowNs += 50 * MS;
        engine.advance();
        assertNotNull(engine.result("x").trouble());
        near(0.010, engine.result("x").seconds());
    }

    @Test
    void burstsBeginTogether() {
        port.wireNs = n -> 3_000;
        RperfResult result = run(pattern().withBursts(8, 50_000), 0, 10 * MS);
        assertEquals(8 * 200, result.pairs());
    }

    @Test
    void nothingIsSentWhileItIsOff() {
        RperfResult result = run(pattern().withOnOff(MS, 3 * MS), 0, 40 * MS);
        near(10 * MS / 2_501, result.pairs());
        assertTrue(port.lastPostNs - 1_000 <= 37 * MS, "lastPostNs=" + port.lastPostNs);
    }

    @Test
    void aRateIsOneOfTheTimeItIsOn() {
        RperfResult result = run(pattern().withRate(100_000).withOutstanding(4).withOnOff(MS, MS), 0, 40 * MS);
        assertEquals(2_000, result.pairs(), 1);
    }

    @Test
    void whatWasDueWhileAllPlacesWereTakenIsMissed() {
        port.wireNs = n -> 100_000;
        RperfResult result = run(pattern().withRate(100_000), 0, 100 * MS);
        assertEquals(10_000, result.pairs() + result.missed(), 20);
        assertTrue(result.missed() > 8_000, "missed=" + result.missed());
    }

    /** As a process does that was stopped. */
    @Test
    void aHostThatStoodStillDoesNotSendAtOnceWhatItMissed() {
        PairEngine engine = new PairEngine(port, pattern().withRate(1_000_000).withOutstanding(64), 0, 100 * MS);
        engine.advance();
        port.nowNs += 50 * MS;
        engine.advance();
        assertTrue(port.posts <= 18, "posts=" + port.posts);
        port.run(engine);
        assertEquals(100_000, engine.result("x").pairs() + engine.result("x").missed(), 20);
    }

    @Test
    void whatWarmsUpDoesNotCount() {
        port.wireNs = n -> n < 1_000 ? 9_500 : 2_500;
        RperfResult result = run(pattern(), 10 * MS, 10 * MS);
        near(2_000, result.rtt().meanNs());
        near(2_000, result.rtt().mostNs());
    }

    @Test
    void aFailureEndsItAndIsNamed() {
        port.status = WcStatus.RETRY_EXC_ERR;
        RperfResult result = run(pattern());
        assertEquals(0, result.pairs());
        assertNotNull(result.trouble());
        assertTrue(result.trouble().contains("RETRY_EXC_ERR"), result.trouble());
    }

    @Test
    void whatDoesNotCompleteIsCounted() {
        port.loses = 5;
        RperfResult result = run(pattern().withOutstanding(2));
        assertNull(result.trouble());
        assertEquals(5, result.pairs());
        assertEquals(2, result.unfinished());
    }

    @Test
    void aStoppedEngineWaitsForWhatIsUnderWay() {
        PairEngine engine = new PairEngine(port, pattern(), 0, 1_000 * MS);
        engine.advance();
        engine.stop();
        port.run(engine);
        assertEquals(1, engine.result("x").pairs());
    }

    @Test
    void morePlacesThanThePortHasAreRefused() {
        LoadPattern pattern = pattern().withOutstanding(65);
        String message = assertThrows(IllegalArgumentException.class, () -> new PairEngine(port, pattern, 0, MS))
                .getMessage();
        assertTrue(message.contains("slots=64") && message.contains("outstanding=65"), message);
    }

    @Test
    void patternsOutOfRangeAreRefusedWithTheirValues() {
        for (Runnable wrong : new Runnable[] {() -> LoadPattern.ofBytes(0), () -> pattern().withOutstanding(5000),
            () -> pattern().withRate(-1), () -> pattern().withRate(Double.NaN), () -> pattern().withOnOff(1, 0),
            () -> pattern().withBursts(2, 1e13)}) {
            String message = assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
            assertTrue(message.contains("="), message);
        }
    }
}
