package org.jvrpc.watch.drift.host;

import java.io.IOException;
import java.util.List;

/** The tools of this host. Each run has the bounds that those of counters have, in time and in what is printed. */
final class SystemTool implements Tool {

    @Override
    public String run(List<String> words) throws IOException {
        org.jvrpc.watch.counters.Tool.Result result = org.jvrpc.watch.counters.Tool.SYSTEM.run(words);
        if (result.refusal() != null) {
            throw new IOException(result.refusal());
        }
        return result.text().strip();
    }
}
