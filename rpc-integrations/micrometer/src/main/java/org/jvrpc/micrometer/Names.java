package org.jvrpc.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.ServerAddress;
import org.jvrpc.runtime.counters.totals.Totals;

/**
 * Names and tags of meters: OpenTelemetry's semantic conventions' where they have one, {@code jvrpc.client.…} and
 * {@code jvrpc.server.…} else. A tag that is absent has an empty value, as registries want the same tags in all meters
 * of a name. Stateless.
 */
final class Names {

    static final String SYSTEM = "rpc.system.name";
    static final String METHOD = "rpc.method";
    static final String STATUS = "rpc.status_code";
    static final String ERROR = "error.type";
    static final String ADDRESS = "server.address";
    static final String PORT = "server.port";

    private Names() {
    }

    private static String side(EndpointCounters.Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static String duration(EndpointCounters.Role role) {
        return "rpc." + side(role) + ".call.duration";
    }

    static String own(EndpointCounters.Role role, String what) {
        return "jvrpc." + side(role) + "." + what;
    }

    static Tags tags(Totals.Key key) {
        ServerAddress server = key.address();
        return Tags.of(SYSTEM, "jvrpc", ADDRESS, server.address() == null ? "" : server.address(), PORT,
                server.port() == 0 ? "" : Integer.toString(server.port()));
    }
}
