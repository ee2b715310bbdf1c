package org.jvrpc.runtime.channel;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.OutlierEjection;
import org.jvrpc.runtime.health.HealthOptions;

/** What a client of several servers is made with besides the settings of each connection. One thread. */
public final class ChannelOptions {

    private LoadBalancing balancing = LoadBalancing.nearest();
    private OutlierEjection ejection;
    private HealthOptions health;
    private ConnectionBackoff backoff = ConnectionBackoff.DEFAULT;
    private LeastSecurity least = LeastSecurity.NONE;
    private final Map<String, String> addressOptions = new TreeMap<>();
    private long seed = ThreadLocalRandom.current().nextLong();

    public void balancing(LoadBalancing value) {
        balancing = Objects.requireNonNull(value, "loadBalancing");
    }

    LoadBalancing balancing() {
        return balancing;
    }

    public void ejection(OutlierEjection value) {
        ejection = Objects.requireNonNull(value, "outlierEjection");
    }

    /** Returns when servers are ejected, or null for never. */
    OutlierEjection ejection() {
        return ejection;
    }

    public void health(HealthOptions value) {
        health = value;
    }

    /** Returns what servers are asked of their health, or null for nothing. */
    HealthOptions health() {
        return health;
    }

    public void backoff(ConnectionBackoff value) {
        backoff = Objects.requireNonNull(value, "connectionBackoff");
    }

    ConnectionBackoff backoff() {
        return backoff;
    }

    public void least(LeastSecurity value) {
        least = Objects.requireNonNull(value, "leastSecurity");
    }

    /** @throws IllegalArgumentException when an address of the user's own is not good enough */
    public void checkSecurity(String address) {
        int colon = address.indexOf("://");
        if (colon > 0 && !least.allows(address.substring(0, colon))) {
            throw new IllegalArgumentException("address=" + address + " is below leastSecurity=" + least);
        }
    }

    /** @throws IllegalArgumentException when it is no scheme, or no options */
    public void addressOptions(String scheme, String options) {
        if (!scheme.matches("[a-z][a-z0-9+.-]{0,31}") || !options.matches("[!-~&&[^?#]]{1,4096}")) {
            throw new IllegalArgumentException("addressOptions are a scheme, such as tls, and name=value&name=value,"
                    + " scheme=" + scheme + ", options=" + options);
        }
        addressOptions.put(scheme, "?" + options);
    }

    /** For tests, which want the same lots again. */
    public void seed(long value) {
        seed = value;
    }

    long seed() {
        return seed;
    }

    WayRules rules(boolean own) {
        return new WayRules(own, least, HostIdentity.own(), Map.copyOf(addressOptions));
    }
}
