package org.jvrpc.tools.watch.rperf;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;
import org.jvrpc.watch.rperf.control.Order;
import org.jvrpc.watch.rperf.verbs.VerbsPairs;
import picocli.CommandLine.Option;

/** What is sent, and when. */
final class LoadOptions {

    private static final int BANDWIDTH_BYTES = 65536;
    private static final int BANDWIDTH_OUTSTANDING = 64;

    @Option(names = "--size", paramLabel = "BYTES",
            description = "Of messages: 64, or 64,512, or 64:4096:x2; each size is measured in turn. Default: 64.")
    private String size;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "0",
            description = "Pairs a second. Default: as fast as they complete.")
    private double rate;

    @Option(names = "--burst", paramLabel = "N/TIME", description = "So many together, each so long: 8/100us.")
    private String burst;

    @Option(names = "--on-off", paramLabel = "TIME/TIME", description = "So long on, so long off: 10ms/90ms.")
    private String onOff;

    @Option(names = "--outstanding", paramLabel = "N",
            description = "Pairs that may be under way. Default: one for each QP.")
    private Integer outstanding;

    @Option(names = "--qps", paramLabel = "N", defaultValue = "1",
            description = "QPs, which take turns, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int qps;

    @Option(names = "--sl", paramLabel = "N", split = ",",
            description = "Service level, 0 to 7, with its class selector as DSCP: 3 is DSCP 24. Several, such as 0,3,"
                + " are taken by the QPs in turn. Default: 0.")
    private List<Integer> levels = Order.NO_LEVELS;

    @Option(names = "--bandwidth",
            description = "Send without loopback, 65536 bytes and 64 messages under way by default, and say Gb/s.")
    private boolean bandwidth;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "10",
            description = "How long each size is measured, 0.001 to 3600. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--warm-up", paramLabel = "N", defaultValue = "3",
            description = "Seconds before that do not count: this JVM compiles meanwhile. Default: ${DEFAULT-VALUE}.")
    private double warmUp;

    boolean isBandwidth() {
        return bandwidth;
    }

    int qps() {
        return qps;
    }

    List<Integer> levels() {
        return levels;
    }

    List<ServiceClass> services() {
        return levels.stream().map(ServiceClass::ofLevel).toList();
    }

    /** Returns a result whose name says the service levels, where some were asked for. */
    RperfResult named(RperfResult result) {
        return levels.equals(Order.NO_LEVELS) ? result : result.named(result.name() + " sl="
                + levels.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    private void checkLevels() {
        for (int level : levels) {
            if (level < 0 || level > Order.MOST_LEVEL) {
                throw new IllegalArgumentException("--sl=" + level + " is not within 0 to " + Order.MOST_LEVEL);
            }
        }
        if (levels.isEmpty() || levels.size() > qps) {
            throw new IllegalArgumentException("--sl=" + levels + " needs as many QPs, --qps=" + qps);
        }
    }

    long durationNs() {
        return Math.round(seconds * 1e9);
    }

    long warmUpNs() {
        return Math.round(warmUp * 1e9);
    }

    /** Returns one pattern a size. @throws IllegalArgumentException with what is wrong */
    List<LoadPattern> patterns() {
        if (!(seconds >= 0.001 && seconds <= 3600)) {
            throw new IllegalArgumentException("--seconds=" + seconds + " is not within 0.001 to 3600");
        }
        if (!(warmUp >= 0 && warmUp <= 3600)) {
            throw new IllegalArgumentException("--warm-up=" + warmUp + " is not within 0 to 3600");
        }
        if (qps < 1 || qps > VerbsPairs.MOST_QPS) {
            throw new IllegalArgumentException("--qps=" + qps + " is not within 1 to " + VerbsPairs.MOST_QPS);
        }
        checkLevels();
        if (rate != 0 && burst != null) {
            throw new IllegalArgumentException("--rate and --burst exclude each other: a burst has its own period");
        }
        LoadPattern base = LoadPattern.ofBytes(1).withOutstanding(outstanding != null ? outstanding
                : bandwidth ? Math.max(qps, BANDWIDTH_OUTSTANDING) : qps).withRate(rate);
        base = burst == null ? base : Words.bursts(base, burst);
        base = onOff == null ? base : Words.onOff(base, onOff);
        List<LoadPattern> patterns = new ArrayList<>();
        for (int bytes : size == null ? List.of(bandwidth ? BANDWIDTH_BYTES : 64) : Words.sizes(size)) {
            patterns.add(base.withBytes(bytes));
        }
        return patterns;
    }
}
