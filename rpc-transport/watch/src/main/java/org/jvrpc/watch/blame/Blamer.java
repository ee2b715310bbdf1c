package org.jvrpc.watch.blame;

import java.util.List;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.report.Report;

/** Says who is to blame. One thread; it keeps what it learnt of earlier windows. */
public interface Blamer {

    /** Returns what all reports of one window, the next one, say together. */
    List<Verdict> judge(List<Report> window);
}
