package org.jvrpc.watch.drift.host;

import java.io.IOException;
import java.util.List;

/** Runs a tool of the system. */
@FunctionalInterface
public interface Tool {

    /** Returns what it printed; throws IOException with the reason when there is no such tool, or it ended badly. */
    String run(List<String> words) throws IOException;
}
