package org.jvrpc.ibverbs.differential;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jvrpc.verbs.Device;

/**
 * What a device counted: whether it counted, as how often packets are sent again depends on how soon somebody sends
 * them. By rxe's names, of what rxe and the software RNIC both count.
 */
final class Counters {

    /** The software RNIC's name is mlx5's, as it counts each packet; rxe counts those for which it sends a NAK. */
    private static final Map<String, String> NAMES = Map.of("out_of_sequence", "out_of_seq_request");
    private static final List<String> COMPARED = List.of("duplicate_request", "out_of_seq_request", "send_rnr_err",
            "rcvd_rnr_err", "rcvd_seq_err", "retry_exceeded_err", "retry_rnr_exceeded_err");

    static final String LINE = " counter ";

    private Counters() {
    }

    static Map<String, Long> of(Device device) {
        Map<String, Long> counters = device.counters().entrySet().stream().collect(Collectors.toMap(
                entry -> NAMES.getOrDefault(entry.getKey(), entry.getKey()), Map.Entry::getValue, (one, other) -> other,
                TreeMap::new));
        if (!counters.keySet().containsAll(COMPARED)) {
            throw new IllegalStateException("expected=" + COMPARED + " counters=" + counters);
        }
        return counters;
    }

    /** Returns a line for each that is compared. */
    static List<String> since(Map<String, Long> before, Device device) {
        Map<String, Long> now = of(device);
        return COMPARED.stream().map(name -> "counter " + name + ": "
                + (now.get(name) > before.get(name) ? "some" : "none")).toList();
    }
}
