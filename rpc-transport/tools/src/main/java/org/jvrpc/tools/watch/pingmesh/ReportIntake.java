package org.jvrpc.tools.watch.pingmesh;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportException;
import org.jvrpc.watch.report.ReportException.Reason;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.web.Intake;

/** Takes what agents post: the seal is in the report. Any thread. */
final class ReportIntake implements Intake {

    private final ThreadLocal<ProbeSeal> seals;
    private final Consumer<Report> to;
    private final AtomicLong forged = new AtomicLong();
    private final AtomicLong senseless = new AtomicLong();

    /** @param to throws IllegalArgumentException for what it refuses */
    ReportIntake(ProbeKeys keys, Consumer<Report> to) {
        this.seals = ThreadLocal.withInitial(() -> new ProbeSeal(keys));
        this.to = to;
    }

    @Override
    public boolean isSealed(byte[] body, String seal) {
        try {
            ReportLayout.read(body, seals.get());
            return true;
        } catch (ReportException e) {
            boolean wrong = e.reason() == Reason.FORGED;
            (wrong ? forged : senseless).incrementAndGet();
            return !wrong; // what is no report is told so
        }
    }

    @Override
    public void accept(byte[] body) {
        try {
            to.accept(ReportLayout.read(body, seals.get()));
        } catch (ReportException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns how many had a wrong seal. */
    long forged() {
        return forged.get();
    }

    /** Returns how many were no reports, or of another version. */
    long senseless() {
        return senseless.get();
    }
}
