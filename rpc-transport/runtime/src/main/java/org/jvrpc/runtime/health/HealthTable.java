package org.jvrpc.runtime.health;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.health.Health;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.api.health.ServingStatus;

/** How the services of one server stand, and the answers to those who ask. Any thread. */
public final class HealthTable implements ServerHealth, Health {

    private static final int MOST_NAMES = 1024;
    private static final int MOST_CHARACTERS = 1024;

    private static final int MOST_WATCHERS = 10_000;
    private static final long WATCH_S = 20;

    private final Map<String, ServingStatus> statuses = new HashMap<>();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private boolean over;

    /** A call that waits for another status than the one that it knows. */
    private record Watcher(String service, ServingStatus known, CompletableFuture<ServingStatus> answer) {
    }

    /** @param services what the server has, which can all be served */
    public HealthTable(Collection<String> services) {
        statuses.put(SERVER, ServingStatus.SERVING);
        services.forEach(name -> statuses.put(name, ServingStatus.SERVING));
    }

    @Override
    public void set(String service, ServingStatus status) {
        put(service, status);
        tell();
    }

    private synchronized void put(String service, ServingStatus status) {
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

    @Override
    public CompletableFuture<ServingStatus> watch(String service, ServingStatus known) {
        CompletableFuture<ServingStatus> answer = new CompletableFuture<>();
        ServingStatus now = status(service);
        if (now != known || watchers.size() >= MOST_WATCHERS) {
            answer.complete(now);
            return answer;
        }
        Watcher watcher = new Watcher(service, known, answer);
        watchers.add(watcher);
        answer.whenComplete((status, failure) -> watchers.remove(watcher));
        tell(watcher); // it may have changed before it was added
        return answer.completeOnTimeout(known, WATCH_S, TimeUnit.SECONDS);
    }

    private void tell() {
        watchers.forEach(this::tell);
    }

    /** Answers who waits for what is so now; without the lock, as answers run what is the runtime's. */
    private void tell(Watcher watcher) {
        ServingStatus now = status(watcher.service);
        if (now != watcher.known) {
            watcher.answer.complete(now);
        }
    }

    /** The server drains: nothing is served from now on, whatever is set. Idempotent. */
    public void end() {
        endAll();
        tell();
    }

    private synchronized void endAll() {
        over = true;
        statuses.replaceAll((service, status) -> ServingStatus.NOT_SERVING);
    }
}
