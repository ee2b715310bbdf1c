package org.jvrpc.watch.report;

/** Where reports go: over HTTP to a collector, or to one in the same process. */
public interface ReportSink {

    /** Takes one; never blocks for long. */
    void accept(Report report);
}
