package org.jvrpc.runtime.health;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jvrpc.api.health.Health;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.api.health.ServingStatus;

/** How the services of one server stand, and the answers to those who ask. Any thread. */
public final class HealthTable implements ServerHealth, Health {

    private static final int MOST_NAMES = 1024;
    private static final int MOST_CHARACTERS = 1024;

    private final Map<String, ServingStatus> statuses = new HashMap<>();
    private boolean over;

    /** @param services what the server has, which can all be served */
    public HealthTable(Collection<String> services) {
        statuses.put(SERVER, ServingStatus.SERVING);
        services.forEach(name -> statuses.put(name, ServingStatus.SERVING));
    }

    @Override
    public synchronized void set(String service, ServingStatus status) {
        Objects.requireNonNull(status, "status");
        if (status == ServingStatus.SERVICE_UNKNOWN) {
            throw new IllegalArgumentException("status=" + status + " is that of names that were never set, service="
                    + service);
        }
        if (service.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("a service name has " + service.length() + " characters, limit="
                    + MOST_CHARACTERS);
        }
        if (!statuses.containsKey(service) && statuses.size() >= MOST_NAMES) {
            throw new IllegalArgumentException("service=" + service + " is one too many, limit=" + MOST_NAMES);
        }
        statuses.put(service, over ? ServingStatus.NOT_SERVING : status);
    }

    @Override
    public synchronized ServingStatus status(String service) {
        return statuses.getOrDefault(service, ServingStatus.SERVICE_UNKNOWN);
    }

    @Override
    public ServingStatus check(String service) {
        return status(service);
    }

    /** The server drains: nothing is served from now on, whatever is set. Idempotent. */
    public synchronized void end() {
        over = true;
        statuses.replaceAll((service, status) -> ServingStatus.NOT_SERVING);
    }
}
