package org.jvrpc.spring.server;

import java.util.Collection;
import java.util.List;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.RpcServer;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/**
 * Has servers say that they cannot serve while the application refuses traffic, so that clients go elsewhere: by the
 * empty name, that of the server as a whole, and by those of its services. Any thread.
 */
public final class Readiness implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

    private final boolean follows;
    private Collection<RpcServer> servers = List.of();
    private Collection<String> names = List.of();
    private boolean refusing;

    Readiness(boolean follows) {
        this.follows = follows;
    }

    synchronized void services(Collection<String> wireNames) {
        names = wireNames;
    }

    synchronized void started(Collection<RpcServer> now) {
        servers = now;
        if (refusing) {
            say(ServingStatus.NOT_SERVING);
        }
    }

    @Override
    public synchronized void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        boolean refuses = event.getState() == ReadinessState.REFUSING_TRAFFIC;
        if (follows && refuses != refusing) { // where nothing changes, what somebody else has set stays
            refusing = refuses;
            say(refuses ? ServingStatus.NOT_SERVING : ServingStatus.SERVING);
        }
    }

    private void say(ServingStatus status) {
        for (RpcServer server : servers) {
            server.health().set(ServerHealth.SERVER, status);
            for (String name : names) {
                if (server.health().status(name) != ServingStatus.SERVICE_UNKNOWN) {
                    server.health().set(name, status);
                }
            }
        }
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
