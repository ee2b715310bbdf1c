package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.balance.OutlierEjection;

/** Decides which servers are ejected. The caller passes the time in. Under the client's lock. */
final class Outliers {

    private final OutlierEjection settings;
    private final long baseNs;
    private final long maxNs;
    private final long intervalNs;
    private long nextNs;
    private boolean begun;

    /** @param settings null for none */
    Outliers(OutlierEjection settings) {
        this.settings = settings;
        this.baseNs = settings == null ? 0 : settings.baseEjectionTime().toNanos();
        this.maxNs = settings == null ? 0 : settings.maxEjectionTime().toNanos();
        this.intervalNs = settings == null ? Long.MAX_VALUE : settings.interval().toNanos();
    }

    boolean isOn() {
        return settings != null;
    }

    /** Returns true when a call that ended so speaks against its server. */
    static boolean isFailure(Status status) {
        return switch (status) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN, RESOURCE_EXHAUSTED, DATA_LOSS -> true;
            default -> false;
        };
    }

    /** Returns true when so many failures in a row are too many. Any thread. */
    boolean isTooMany(int inARow) {
        return settings.consecutiveFailures() > 0 && inARow >= settings.consecutiveFailures();
    }

    /** Ejects one of all, unless too many are; true when it did. */
    boolean eject(SubChannel server, Collection<SubChannel> all, long nowNs) {
        if (server.outlier().isEjected()) {
            return false;
        }
        long ejected = all.stream().filter(one -> one.outlier().isEjected()).count();
        long most = settings.maxEjectionPercent() == 0 ? 0
                : Math.max(1, (long) all.size() * settings.maxEjectionPercent() / 100);
        if (ejected >= most) {
            return false;
        }
        server.outlier().eject(nowNs, baseNs, maxNs);
        return true;
    }

    /** A probe has ended. */
    void probed(SubChannel server, boolean failed, long nowNs) {
        if (failed) {
            server.outlier().eject(nowNs, baseNs, maxNs);
        } else {
            server.outlier().bringBack();
        }
        server.outlier().probeOver();
    }

    /** Looks at success rates when it is time to; returns true when one was ejected. */
    boolean look(Collection<SubChannel> all, long nowNs) {
        if (settings == null) {
            return false;
        }
        if (!begun) {
            begun = true;
            nextNs = nowNs + intervalNs;
        }
        if (nextNs - nowNs > 0) {
            return false;
        }
        nextNs = nowNs + intervalNs;
        return compare(all, nowNs);
    }

    private boolean compare(Collection<SubChannel> all, long nowNs) {
        List<SubChannel> counted = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (SubChannel server : all) {
            server.outlier().forgive();
            long[] counts = server.outlier().takeCounts();
            if (counts[0] + counts[1] >= settings.successRateRequestVolume()) {
                counted.add(server);
                rates.add((double) counts[0] / (counts[0] + counts[1]));
            }
        }
        if (settings.successRateMinimumHosts() == 0 || counted.size() < settings.successRateMinimumHosts()) {
            return false;
        }
        double mean = rates.stream().mapToDouble(rate -> rate).average().orElseThrow();
        double variance = rates.stream().mapToDouble(rate -> (rate - mean) * (rate - mean)).average().orElseThrow();
        double least = mean - Math.sqrt(variance) * settings.successRateStdevFactor() / 1000;
        boolean any = false;
        for (int i = 0; i < rates.size(); i++) {
            if (rates.get(i) < least) {
                any |= eject(counted.get(i), all, nowNs);
            }
        }
        return any;
    }

    /** Returns when there is something to do, in nanoseconds from now. */
    long waitNs(Collection<SubChannel> all, long nowNs) {
        return settings == null ? Long.MAX_VALUE : begun ? Math.max(0, nextNs - nowNs) : 0;
    }
}
