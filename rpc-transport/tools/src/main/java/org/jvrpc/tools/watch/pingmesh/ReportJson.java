package org.jvrpc.tools.watch.pingmesh;

import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** A report as JSON. */
final class ReportJson {

    private ReportJson() {
    }

    /** Returns one object. Times are nanoseconds. */
    static String of(Report report) {
        JsonWriter out = new JsonWriter().object();
        out.name("agent").object().name("id").value(report.from().id()).name("name").value(report.from().name())
                .name("rack").value(report.from().rack()).name("pod").value(report.from().pod()).end();
        out.name("window").value(report.window()).name("windowNs").value(report.windowNs())
                .name("clockJumps").value(report.clockJumps()).name("refusedForged").value(report.refusedForged())
                .name("refusedReplayed").value(report.refusedReplayed())
                .name("refusedVersion").value(report.refusedVersion());
        out.name("tallies").array();
        for (Tally tally : report.tallies()) {
            out.object().name("target").value(tally.target()).name("flow").value(tally.flow())
                    .name("size").value(tally.size()).name("serviceLevel").value(tally.serviceLevel())
                    .name("sent").value(tally.sent()).name("lostForward").value(tally.lostForward())
                    .name("lostBack").value(tally.lostBack()).name("lostUnknown").value(tally.lostUnknown())
                    .name("late").value(tally.late()).name("errors").value(tally.errors())
                    .name("networkP50Ns").value(tally.networkP50Ns()).name("networkP99Ns").value(tally.networkP99Ns())
                    .name("proberP99Ns").value(tally.proberP99Ns()).name("responderP99Ns")
                    .value(tally.responderP99Ns()).end();
        }
        out.end().name("counters").array();
        for (Reading reading : report.counters()) {
            out.object().name("device").value(reading.device()).name("port").value(reading.port()).name("name")
                    .value(reading.name());
            if (reading.isReadable()) {
                out.name("value").value(reading.value()).name("unit").value(reading.unit().name());
            } else {
                out.name("refusal").value(reading.refusal());
            }
            out.end();
        }
        return out.end().end().toString();
    }
}
