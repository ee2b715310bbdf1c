package org.jvrpc.watch.report;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.ReportException.Reason;

/**
 * The bytes of a report, big-endian:
 *
 * <pre>
 * 0 magic:32 | 4 version:8, 0:8, keyId:16 | 8 length:32 | 12 body, length bytes | HMAC-SHA256 of all before, 32 bytes
 * </pre>
 *
 * The body is the report's fields in order. Numbers are in groups of seven bits, the lowest first, whose top bit says
 * that more follow; those that may be negative are zigzag; texts and addresses have their length in front; a counter's
 * refusal is there when its flag is 1. The same keys seal probes and reports. One thread.
 */
public final class ReportLayout {

    /** What is written and understood here. */
    public static final int VERSION = 1;
    /** The longest report, in bytes. */
    public static final int MOST_BYTES = 256 << 10;
    /** The most tallies of a report. */
    public static final int MOST_TALLIES = 4096;
    /** The most counters of a report. */
    public static final int MOST_COUNTERS = 512;
    /** The longest name, in bytes of UTF-8. */
    public static final int MOST_NAME = 128;
    /** The longest address of a transport, in bytes. */
    public static final int MOST_ADDRESS = 256;

    static final int MAGIC = 0x6a767074; // jvpt
    static final int VERSION_AT = 4;
    static final int KEY_AT = 6;
    static final int LENGTH_AT = 8;
    static final int BODY_AT = 12;

    private static final int MOST_TEXT = 512;
    private static final int LEAST_BYTES = BODY_AT + ProbeSeal.MAC_BYTES;
    private static final long LEAST_WINDOW_NS = 1_000_000;
    private static final long MOST_WINDOW_NS = 3_600_000_000_000L;

    private ReportLayout() {
    }

    /** Returns the bytes of a report. @throws IllegalArgumentException when it is past a bound: says which */
    public static byte[] write(Report report, ProbeSeal seal) {
        check(report);
        ReportBytes out = new ReportBytes();
        out.raw(ByteBuffer.allocate(BODY_AT).putInt(MAGIC).put((byte) VERSION).put((byte) 0)
                .putShort((short) seal.keyId()).array());
        agent(out, report.from());
        out.number(report.window()).number(report.windowNs()).number(report.clockJumps())
                .number(report.refusedForged()).number(report.refusedReplayed()).number(report.refusedVersion());
        out.number(report.tallies().size());
        report.tallies().forEach(tally -> tally(out, tally));
        out.number(report.counters().size());
        report.counters().forEach(reading -> reading(out, reading));
        byte[] bytes = out.bytes(ProbeSeal.MAC_BYTES);
        int end = bytes.length - ProbeSeal.MAC_BYTES;
        ByteBuffer.wrap(bytes).putInt(LENGTH_AT, end - BODY_AT);
        System.arraycopy(seal.sign(bytes, 0, end), 0, bytes, end, ProbeSeal.MAC_BYTES);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("report has " + bytes.length + " bytes, limit=" + MOST_BYTES);
        }
        return bytes;
    }

    private static void agent(ReportBytes out, AgentInfo from) {
        out.signed(from.id()).text(from.name()).text(from.rack()).text(from.pod()).block(from.address())
                .number(from.version()).signed(from.incarnation());
    }

    private static void tally(ReportBytes out, Tally tally) {
        out.signed(tally.target()).number(tally.flow()).number(tally.size()).number(tally.serviceLevel())
                .number(tally.sent()).number(tally.lostForward()).number(tally.lostBack())
                .number(tally.lostUnknown()).number(tally.late()).number(tally.errors())
                .number(tally.networkP50Ns()).number(tally.networkP99Ns()).number(tally.proberP99Ns())
                .number(tally.responderP99Ns());
    }

    private static void reading(ReportBytes out, Reading reading) {
        out.text(reading.device()).number(reading.port()).text(reading.name()).signed(reading.value())
                .number(reading.unit().ordinal()).number(reading.isReadable() ? 0 : 1);
        if (!reading.isReadable()) {
            out.text(reading.refusal());
        }
    }

    /**
     * Returns the report that bytes are.
     *
     * @throws ReportException when they are none, of another version, forged, or make no sense
     */
    public static Report read(byte[] bytes, ProbeSeal seal) throws ReportException {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES || head.getInt(0) != MAGIC) {
            throw new ReportException(Reason.NO_REPORT, "not a report: bytes=" + bytes.length);
        }
        if (bytes[VERSION_AT] != VERSION) {
            throw new ReportException(Reason.OTHER_VERSION, "report of version " + (bytes[VERSION_AT] & 0xff)
                    + ", this collector knows " + VERSION);
        }
        int end = bytes.length - ProbeSeal.MAC_BYTES;
        if (head.getInt(LENGTH_AT) != end - BODY_AT) {
            throw new ReportException(Reason.NO_REPORT, "report was cut off: length=" + head.getInt(LENGTH_AT)
                    + " found=" + (end - BODY_AT));
        }
        int key = head.getShort(KEY_AT) & 0xffff;
        if (!seal.verify(key, bytes, 0, end, Arrays.copyOfRange(bytes, end, bytes.length))) {
            throw new ReportException(Reason.FORGED, "report has a wrong seal: keyId=" + key);
        }
        ReportReader in = new ReportReader(bytes, BODY_AT, end);
        try {
            Report report = body(in);
            check(report);
            return report;
        } catch (IllegalArgumentException e) {
            throw new ReportException(Reason.MALFORMED, e.getMessage());
        }
    }

    private static Report body(ReportReader in) {
        AgentInfo from = new AgentInfo(in.signed32("id"), in.text("name", MOST_NAME), in.text("rack", MOST_NAME),
                in.text("pod", MOST_NAME), in.block("address", MOST_ADDRESS), in.number32("version"),
                in.signed("incarnation"));
        long window = in.number("window");
        long windowNs = in.number("windowNs");
        int jumps = in.number32("clockJumps");
        int forged = in.number32("refusedForged");
        int replayed = in.number32("refusedReplayed");
        int version = in.number32("refusedVersion");
        int count = in.number32("tallies", MOST_TALLIES);
        List<Tally> tallies = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tallies.add(new Tally(in.signed32("target"), in.number32("flow"), in.number32("size"), in.number32("sl"),
                    in.number32("sent"), in.number32("lostForward"), in.number32("lostBack"),
                    in.number32("lostUnknown"), in.number32("late"), in.number32("errors"), in.number("networkP50Ns"),
                    in.number("networkP99Ns"), in.number("proberP99Ns"), in.number("responderP99Ns")));
        }
        count = in.number32("counters", MOST_COUNTERS);
        List<Reading> counters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            counters.add(reading(in));
        }
        in.end();
        return new Report(from, window, windowNs, jumps, forged, replayed, version, List.copyOf(tallies),
                List.copyOf(counters));
    }

    private static Reading reading(ReportReader in) {
        String device = in.text("device", MOST_NAME);
        int port = in.number32("port");
        String name = in.text("counter", MOST_NAME);
        long value = in.signed("value");
        int unit = in.number32("unit", Unit.values().length - 1);
        boolean refused = in.number32("refused", 1) == 1;
        return new Reading(device, port, name, value, Unit.values()[unit],
                refused ? in.text("refusal", MOST_TEXT) : null);
    }

    private static void check(Report report) {
        AgentInfo from = report.from();
        expect(!from.name().isEmpty(), "name is empty, id=" + from.id());
        for (String name : new String[] {from.name(), from.rack(), from.pod()}) {
            expect(ReportBytes.utf8(name).length <= MOST_NAME, "name is longer than " + MOST_NAME + " bytes: " + name);
        }
        expect(from.address().length <= MOST_ADDRESS, "address has " + from.address().length + " bytes");
        expect(report.window() >= 0, "window=" + report.window());
        expect(report.windowNs() >= LEAST_WINDOW_NS && report.windowNs() <= MOST_WINDOW_NS,
                "windowNs=" + report.windowNs());
        expect(report.tallies().size() <= MOST_TALLIES, "tallies=" + report.tallies().size());
        expect(report.counters().size() <= MOST_COUNTERS, "counters=" + report.counters().size());
        report.tallies().forEach(ReportLayout::check);
        for (Reading reading : report.counters()) {
            for (String name : new String[] {reading.device(), reading.name()}) {
                expect(ReportBytes.utf8(name).length <= MOST_NAME, "longer than " + MOST_NAME + " bytes: " + name);
            }
            expect(reading.isReadable() || ReportBytes.utf8(reading.refusal()).length <= MOST_TEXT,
                    "refusal is longer than " + MOST_TEXT + " bytes: " + reading.name());
        }
    }

    private static void check(Tally tally) {
        long lost = (long) tally.lostForward() + tally.lostBack() + tally.lostUnknown();
        expect(tally.flow() >= 0 && tally.flow() <= 0xffff && tally.size() >= 0 && tally.size() <= 2
                && tally.serviceLevel() >= 0 && tally.serviceLevel() <= 15
                && tally.sent() >= 0 && tally.lostForward() >= 0 && tally.lostBack() >= 0 && tally.lostUnknown() >= 0
                && tally.late() >= 0 && tally.errors() >= 0 && lost + tally.late() <= tally.sent()
                && lost + tally.errors() <= tally.sent() && tally.networkP50Ns() >= 0
                && tally.networkP99Ns() >= tally.networkP50Ns() && tally.proberP99Ns() >= 0
                && tally.responderP99Ns() >= 0, "tally makes no sense: " + tally);
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
