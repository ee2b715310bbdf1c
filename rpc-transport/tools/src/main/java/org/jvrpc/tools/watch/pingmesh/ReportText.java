package org.jvrpc.tools.watch.pingmesh;

import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** A report as people read it: a line for each target. */
final class ReportText {

    /** Of all flows to a target. */
    private static final class Line {
        private int sent;
        private int there;
        private int back;
        private int unknown;
        private int errors;
        private long p50;
        private long p99;
        private long prober;
        private long responder;

        private void add(Tally tally) {
            p50 = (p50 * sent + tally.networkP50Ns() * tally.sent()) / Math.max(1, sent + tally.sent());
            sent += tally.sent();
            there += tally.lostForward();
            back += tally.lostBack();
            unknown += tally.lostUnknown();
            errors += tally.errors();
            p99 = Math.max(p99, tally.networkP99Ns());
            prober = Math.max(prober, tally.proberP99Ns());
            responder = Math.max(responder, tally.responderP99Ns());
        }
    }

    private ReportText() {
    }

    static void print(Report report, PrintWriter out) {
        Map<Integer, Line> lines = new TreeMap<>();
        report.tallies().forEach(tally -> lines.computeIfAbsent(tally.target(), none -> new Line()).add(tally));
        out.printf("window %d of %s%n", report.window(), report.from().name());
        lines.forEach((target, line) -> out.printf("  to %-10d sent %-5d lost there %d, back %d, unknown %d; errors %d;"
                + " network p50 %.1f us, p99 %.1f us; own host %.1f us, its host %.1f us%n", target, line.sent,
                line.there, line.back, line.unknown, line.errors, line.p50 / 1e3, line.p99 / 1e3, line.prober / 1e3,
                line.responder / 1e3));
        if (report.refusedForged() + report.refusedReplayed() + report.refusedVersion() > 0) {
            out.printf("  refused: %d forged, %d replayed, %d of another version%n", report.refusedForged(),
                    report.refusedReplayed(), report.refusedVersion());
        }
        for (Reading reading : report.counters()) {
            if (!reading.isReadable()) {
                out.printf("  %s %s: %s%n", reading.device(), reading.name(), reading.refusal());
            }
        }
    }
}
