package org.jvrpc.watch.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.probe.ProbeSeal.Verdict;

class ProbeSealTest {

    private static final byte[] OLD = key(1);
    private static final byte[] NEW = key(2);

    private final ProbeSeal seal = new ProbeSeal(ProbeKeys.of(1, OLD));

    private static byte[] key(int fill) {
        byte[] key = new byte[ProbeKeys.LEAST_BYTES];
        Arrays.fill(key, (byte) fill);
        return key;
    }

    private static ByteBuffer probe(int length, ProbeSeal by) {
        ByteBuffer probe = ByteBuffer.allocate(4096);
        ProbeLayout.write(probe, ProbeLayout.PROBE, length, 7, -8, 0x1122334455667788L);
        ProbeLayout.write(probe, 99, 0xfffe, 1, 0xb, 5, 0xdeadbeef, Long.MIN_VALUE + 3);
        by.seal(probe);
        return probe;
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, 71, 72, 512, 1400, 4096})
    void whatIsWrittenIsRead(int length) {
        ByteBuffer probe = probe(length, seal);
        assertEquals(Verdict.GENUINE, seal.check(probe));
        assertTrue(ProbeLayout.isWhole(probe));
        assertEquals(length, ProbeLayout.length(probe));
        assertEquals(ProbeLayout.PROBE, ProbeLayout.kind(probe));
        assertEquals(7, ProbeLayout.prober(probe));
        assertEquals(-8, ProbeLayout.responder(probe));
        assertEquals(0x1122334455667788L, ProbeLayout.incarnation(probe));
        assertEquals(99, ProbeLayout.sequence(probe));
        assertEquals(0xfffe, ProbeLayout.flow(probe));
        assertEquals(1, ProbeLayout.sizeClass(probe));
        assertEquals(0xb, ProbeLayout.flags(probe));
        assertEquals(5, ProbeLayout.serviceLevel(probe));
        assertEquals(0xdeadbeef, ProbeLayout.nonce(probe));
        assertEquals(Long.MIN_VALUE + 3, ProbeLayout.value(probe));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "4294967294, 4294967294", "4294967295, -1", "-1, -1", "-9223372036854775808, -1"})
    void anAcknowledgementTellsWhatTheResponderTookWhereThatFits(long tookNs, long told) {
        ByteBuffer ack = ByteBuffer.allocate(ProbeLayout.BYTES);
        ProbeLayout.write(ack, 1, 0, 0, 0, 0, 0, ProbeLayout.acknowledgement(0x80000003, tookNs));
        assertEquals(told, ProbeLayout.tookNs(ack));
        assertEquals(0x80000003, ProbeLayout.before(ack));
    }

    @Test
    void anyChangedBitOfTheHeaderIsNoticed() {
        for (int bit = 0; bit < 8 * ProbeLayout.BYTES; bit++) {
            ByteBuffer probe = probe(512, seal);
            probe.put(bit / 8, (byte) (probe.get(bit / 8) ^ 1 << bit % 8));
            Verdict wanted = bit / 8 < 2 ? Verdict.NO_PROBE : bit / 8 == 2 ? Verdict.OTHER_VERSION : Verdict.FORGED;
            assertEquals(wanted, seal.check(probe), "bit " + bit);
        }
    }

    @Test
    void anyChangedBitOfThePatternIsNoticed() {
        for (int bit = 8 * ProbeLayout.BYTES; bit < 8 * 77; bit++) {
            ByteBuffer probe = probe(77, seal);
            probe.put(bit / 8, (byte) (probe.get(bit / 8) ^ 1 << bit % 8));
            assertEquals(Verdict.GENUINE, seal.check(probe));
            assertFalse(ProbeLayout.isWhole(probe), "bit " + bit);
        }
    }

    @Test
    void aProbeThatWasCutOffOrGrewIsNone() {
        for (int length : new int[] {0, 1, 63, 64, 511, 513}) {
            ByteBuffer probe = probe(512, seal).limit(length);
            assertEquals(Verdict.NO_PROBE, seal.check(probe), "length=" + length);
        }
    }

    @Test
    void aKeyIsChangedInThreeStepsWhileAllAreUnderstood() {
        ProbeSeal second = new ProbeSeal(ProbeKeys.of(1, OLD).and(2, NEW));
        ProbeSeal first = new ProbeSeal(ProbeKeys.of(2, NEW).and(1, OLD));
        ProbeSeal last = new ProbeSeal(ProbeKeys.of(2, NEW));
        assertEquals(Verdict.GENUINE, second.check(probe(64, seal)));
        assertEquals(Verdict.GENUINE, seal.check(probe(64, second)));
        assertEquals(Verdict.GENUINE, second.check(probe(64, first)));
        assertEquals(Verdict.GENUINE, first.check(probe(64, second)));
        assertEquals(Verdict.GENUINE, last.check(probe(64, first)));
        assertEquals(Verdict.GENUINE, first.check(probe(64, last)));
        assertEquals(Verdict.FORGED, last.check(probe(64, seal)));
    }

    @Test
    void aKeyThatHasTheIdOfAnotherDoesNotHelp() {
        assertEquals(Verdict.FORGED, seal.check(probe(64, new ProbeSeal(ProbeKeys.of(1, NEW)))));
    }

    @Test
    void aKeyUnderAnIdThatNobodyHasDoesNotHelp() {
        assertEquals(Verdict.FORGED, seal.check(probe(64, new ProbeSeal(ProbeKeys.of(9, OLD)))));
    }

    /** Agents of this version understand each other whenever they were built. */
    @Test
    void theBytesOfThisVersionStayAsTheyAre() {
        byte[] bytes = new byte[76];
        probe(76, seal).get(0, bytes);
        assertEquals("4a5001010001004c00000007fffffff811223344556677880000000000000063"
                + "fffe01b5deadbeef8000000000000003"
                + "79e33089aaf509becf209a95b151fdb3"
                + "b067df18adec9572052fe6da", HexFormat.of().formatHex(bytes));
    }
}
