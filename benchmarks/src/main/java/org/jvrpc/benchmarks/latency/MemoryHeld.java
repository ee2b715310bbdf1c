package org.jvrpc.benchmarks.latency;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Summary;

/** What the processes of each contender hold together, once, behind the first round. */
public final class MemoryHeld implements Beside {

    private final Map<String, Long> bytes = new LinkedHashMap<>();

    @Override
    public void measure(Pair pair, Workload workload, Summary round) throws ContenderException {
        if (!bytes.containsKey(pair.contender().name())) {
            bytes.put(pair.contender().name(), pair.memory());
        }
    }

    /** Returns the bytes of a contender; null for one that did not come so far. */
    public Long of(String contender) {
        return bytes.get(contender);
    }
}
