package org.jvrpc.tools.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.ProcessCounters;
import org.jvrpc.runtime.counters.SessionCounters;

/**
 * A line: an endpoint, or one of its methods, between two readings. Rates are per second; latencies are of the calls
 * between the readings, 0 where none of them was timed.
 *
 * @param method service and method; empty for an endpoint
 * @param calls since the endpoint was made
 * @param failed of these
 */
record Row(
        long pid,
        String process,
        EndpointCounters.Role role,
        String address,
        String method,
        long calls,
        long failed,
        double callRate,
        double failureRate,
        long p50Ns,
        long p99Ns,
        double bytesInRate,
        double bytesOutRate,
        int sessions,
        long inFlight,
        double waitRate,
        double sleepRate,
        EndpointCounters endpoint) {

    /** Makes the lines of what two readings differ by. @param byMethod one for each method, not for each endpoint */
    static List<Row> of(Reading before, Reading now, boolean byMethod) {
        double seconds = Math.max(now.atNs() - before.atNs(), 1) / 1e9;
        List<Row> rows = new ArrayList<>();
        now.processes().forEach((file, process) -> {
            Map<Long, EndpointCounters> earlier = new HashMap<>();
            ProcessCounters old = before.processes().get(file);
            if (old != null) {
                old.endpoints().forEach(endpoint -> earlier.put(endpoint.id(), endpoint));
            }
            for (EndpointCounters endpoint : process.endpoints()) {
                EndpointCounters known = earlier.get(endpoint.id());
                if (byMethod) {
                    endpoint.methods().forEach(method -> rows.add(of(process, endpoint, known, method, seconds)));
                } else {
                    rows.add(of(process, endpoint, known, seconds));
                }
            }
        });
        return rows;
    }

    private static Row of(ProcessCounters process, EndpointCounters now, EndpointCounters before, double seconds) {
        Totals total = Totals.of(now.methods());
        Totals old = before == null ? Totals.NONE : Totals.of(before.methods());
        LatencyHistogram took = total.took.since(old.took);
        return new Row(process.pid(), process.name(), now.role(), now.address(), "", total.calls, total.failed,
                (total.calls - old.calls) / seconds, (total.failed - old.failed) / seconds,
                took.percentileNs(50), took.percentileNs(99), (total.in - old.in) / seconds,
                (total.out - old.out) / seconds, now.sessions().size(),
                now.sessions().stream().mapToLong(SessionCounters::inFlight).sum(),
                (now.waits() - (before == null ? 0 : before.waits())) / seconds,
                (now.sleeps() - (before == null ? 0 : before.sleeps())) / seconds, now);
    }

    private static Row of(ProcessCounters process, EndpointCounters endpoint, EndpointCounters before,
            MethodCounters method, double seconds) {
        Totals now = Totals.of(List.of(method));
        Totals old = before == null ? Totals.NONE : Totals.of(before.methods().stream()
                .filter(other -> other.service().equals(method.service()) && other.method().equals(method.method()))
                .toList());
        LatencyHistogram took = now.took.since(old.took);
        return new Row(process.pid(), process.name(), endpoint.role(), endpoint.address(), name(method), now.calls,
                now.failed, (now.calls - old.calls) / seconds, (now.failed - old.failed) / seconds,
                took.percentileNs(50), took.percentileNs(99), (now.in - old.in) / seconds,
                (now.out - old.out) / seconds, endpoint.sessions().size(), 0, 0, 0, endpoint);
    }

    static String name(MethodCounters method) {
        return method.service().isEmpty() ? method.method() : method.service() + "/" + method.method();
    }

    /** Returns true where a text is in what the line is called by. */
    boolean matches(String text) {
        return (pid + " " + process + " " + role + " " + address + " " + method).toLowerCase(Locale.ROOT)
                .contains(text.toLowerCase(Locale.ROOT));
    }

    /** What methods have together. */
    private record Totals(long calls, long failed, long in, long out, LatencyHistogram took) {

        static final Totals NONE = of(List.of());

        static Totals of(List<MethodCounters> methods) {
            LatencyHistogram all = LatencyHistogram.EMPTY;
            long calls = 0;
            long failed = 0;
            long in = 0;
            long out = 0;
            for (MethodCounters method : methods) {
                calls += method.calls();
                failed += method.failed();
                in += method.bytesIn();
                out += method.bytesOut();
                all = all.plus(method.latencies());
            }
            return new Totals(calls, failed, in, out, all);
        }
    }
}
