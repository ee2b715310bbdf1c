package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How far a client and a server with different versions of a service understand each other.
 *
 * @param methods for each method of the client, by index
 * @param fields how many components of each growing record and exception of the server travel, by its number
 * @param shorter how many components travel of those of the client's that do not travel whole, by name
 */
public record Agreement(List<Outcome> methods, List<Integer> fields, Map<String, Integer> shorter) {

    public Agreement {
        methods = List.copyOf(methods);
        fields = List.copyOf(fields);
        shorter = Map.copyOf(shorter);
    }

    /**
     * How the calls of one method fare.
     *
     * @param index of the server's method, -1 when it has none that understands the client's
     * @param missing true when it has none of that name and parameters
     * @param reason how the two differ; of a missing one, those of the same name, if any
     */
    public record Outcome(int index, boolean missing, String reason) {
    }

    /** Finds what two sides can do. */
    public static Agreement of(ServiceSchema client, ServiceSchema server) {
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < server.methods().size(); i++) {
            indices.put(server.methods().get(i).key(), i);
        }
        List<Outcome> outcomes = client.methods().stream()
                .map(method -> outcome(method, client, server, indices.getOrDefault(method.key(), -1)))
                .toList();
        List<Integer> fields = new ArrayList<>();
        for (Layout layout : server.growing()) {
            fields.add(common(layout, client));
        }
        Map<String, Integer> shorter = new TreeMap<>();
        for (Layout layout : client.growing()) {
            int common = common(layout, server);
            if (common < layout.parts().size()) {
                shorter.put(layout.name(), common);
            }
        }
        return new Agreement(outcomes, fields, shorter);
    }

    private static int common(Layout own, ServiceSchema peer) {
        int peers = peer.components(own.name());
        return peers < 0 ? own.parts().size() : Math.max(own.base(), Math.min(own.parts().size(), peers));
    }

    private static Outcome outcome(MethodSchema method, ServiceSchema client, ServiceSchema server, int index) {
        if (index < 0) {
            return new Outcome(-1, true, server.methods().stream()
                    .map(MethodSchema::key)
                    .filter(key -> key.startsWith(method.name() + "("))
                    .collect(Collectors.joining(", ")));
        }
        List<String> breaks = Comparison.of(method, server.methods().get(index), client.hasObjectsOf(server),
                Sides.PEERS).breaks();
        return new Outcome(breaks.isEmpty() ? index : -1, false, String.join("; ", breaks));
    }

    /** Returns true when no call of the client can be answered. */
    public boolean isEmpty() {
        return methods.stream().allMatch(outcome -> outcome.index < 0);
    }
}
