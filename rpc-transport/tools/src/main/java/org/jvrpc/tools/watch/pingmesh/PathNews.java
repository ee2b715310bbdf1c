package org.jvrpc.tools.watch.pingmesh;

import java.io.PrintWriter;
import java.util.Objects;
import org.jvrpc.watch.Metrics;
import org.jvrpc.watch.blame.PathBlamer;
import org.jvrpc.watch.paths.PathFile;

/** Takes over ways that a file tells, and says so. One thread; figures are read by any. */
final class PathNews {

    private final PathFile paths;
    private final PathBlamer blamer;
    private final PrintWriter err;
    private String told;

    PathNews(PathFile paths, PathBlamer blamer, PrintWriter err) {
        this.paths = paths;
        this.blamer = blamer;
        this.err = err;
    }

    /** Takes over what is new. Between two judgements. */
    void look() {
        if (paths.takeOver()) {
            err.println("paths: " + paths.size() + " ways of flows are known");
            if (paths.doubt() != null) {
                err.println("paths: " + paths.doubt()
                        + ": if these are one switch, a line 'switch NAME ADDRESS...' says so");
            }
            err.flush();
        }
        String trouble = paths.trouble();
        if (trouble != null && !Objects.equals(trouble, told)) {
            err.println("paths: " + trouble + "; what was known before holds");
            err.flush();
        }
        told = trouble;
    }

    void write(Metrics to) {
        to.gauge("jvrpc_pingmesh_paths", "Ways of flows that are known.", paths.size());
        to.gauge("jvrpc_pingmesh_paths_trouble", "1 while the file of them cannot be taken.",
                paths.trouble() == null ? 0 : 1);
        to.gauge("jvrpc_pingmesh_paths_known_ratio", "Share of the last window's probes between racks whose ways are"
                + " known.", blamer.tracedShare());
    }
}
