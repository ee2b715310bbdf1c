package org.jvrpc.runtime.health;

import org.jvrpc.api.CallOptions;
import org.jvrpc.api.health.HealthAsync;
import org.jvrpc.api.health.HealthService;
import org.jvrpc.runtime.graph.ClosedGraphs;
import org.jvrpc.runtime.route.ServerLink;

/** The way to the health of a server by one connection. One thread at a time asks. */
public final class HealthProbe {

    private final ServerLink link;
    private final String target;
    private final CallOptions options;
    private volatile HealthAsync health;

    /** @param target of the client, for messages */
    public HealthProbe(ServerLink link, String target, CallOptions options) {
        this.link = link;
        this.target = target;
        this.options = options;
    }

    HealthAsync health() {
        HealthAsync made = health;
        if (made == null) {
            HealthService service = new HealthService();
            made = service.asyncStub(link.unopened(service, new ClosedGraphs(target), options));
            health = made;
        }
        return made;
    }
}
