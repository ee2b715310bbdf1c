package org.jvrpc.watch.report;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.ReportException.Reason;

/**
 * Any bytes that come as a report: {@code how:8 | bytes}. They are the report where how is even, else the body of one
 * that is sealed rightly. What is taken is written as the same bytes again; the rest is refused for a reason that fits,
 * in one line without what the peer wrote, and without much memory.
 */
final class ReportFuzz {

    private static final int KEY_ID = 3;
    private static final int LONGEST_MESSAGE = 600;
    private static final long MEMORY = 256 << 10;
    private static final long MEMORY_A_BYTE = 256;
    private static final ProbeSeal SEAL = new ProbeSeal(ProbeKeys.of(KEY_ID, new byte[ProbeKeys.LEAST_BYTES]));

    private ReportFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        boolean isSealed = (input[0] & 1) != 0;
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        byte[] bytes = isSealed ? sealed(rest) : rest;
        FuzzCheck.allocates(MEMORY + MEMORY_A_BYTE * bytes.length, () -> read(bytes, isSealed));
    }

    private static byte[] sealed(byte[] body) {
        int end = ReportLayout.BODY_AT + body.length;
        byte[] bytes = ByteBuffer.allocate(end + ProbeSeal.MAC_BYTES).putInt(ReportLayout.MAGIC)
                .put((byte) ReportLayout.VERSION).put((byte) 0).putShort((short) KEY_ID).putInt(body.length).put(body)
                .array();
        System.arraycopy(SEAL.sign(bytes, 0, end), 0, bytes, end, ProbeSeal.MAC_BYTES);
        return bytes;
    }

    private static void read(byte[] bytes, boolean isSealed) {
        byte[] before = bytes.clone();
        try {
            Report report = ReportLayout.read(bytes, SEAL);
            FuzzCheck.that(isSealed, "nobody sealed it"); // an input cannot guess a seal
            FuzzCheck.that(Arrays.equals(before, ReportLayout.write(report, SEAL)), "written otherwise: " + report);
        } catch (ReportException e) {
            FuzzCheck.that(isSealed == (e.reason() == Reason.MALFORMED), e.reason() + " of sealed=" + isSealed);
            FuzzCheck.that(e.getMessage().length() < LONGEST_MESSAGE
                    && e.getMessage().chars().noneMatch(Character::isISOControl), "message: " + e.getMessage());
        }
        FuzzCheck.that(Arrays.equals(before, bytes), "a look changes it");
    }
}
