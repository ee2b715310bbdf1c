package org.jvrpc.spring.config;

import java.time.Duration;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.OutlierEjection;

/**
 * {@code jvrpc.clients.NAME.outlier-ejection}: see {@link OutlierEjection}, from whose {@link OutlierEjection#DEFAULT
 * default} it begins.
 *
 * @param consecutiveFailures calls in a row that fail and eject a server; 0 for none
 * @param baseEjectionTime for how long at first
 * @param maxEjectionTime for how long at most
 * @param maxEjectionPercent how many of the servers at once
 * @param interval how often success rates are looked at
 * @param successRateMinimumHosts how many servers must have had enough calls; 0 to compare none
 * @param successRateRequestVolume how many calls are enough
 * @param successRateStdevFactor how far below the mean a rate is too low
 */
public record EjectionProperties(
        Integer consecutiveFailures,
        Duration baseEjectionTime,
        Duration maxEjectionTime,
        Integer maxEjectionPercent,
        Duration interval,
        Integer successRateMinimumHosts,
        Integer successRateRequestVolume,
        Integer successRateStdevFactor) {

    void applyTo(String prefix, RpcClient.Builder builder) {
        OutlierEjection otherwise = OutlierEjection.DEFAULT;
        Property.apply(prefix, this, all -> builder.outlierEjection(new OutlierEjection(
                Property.or(consecutiveFailures, otherwise.consecutiveFailures()),
                Property.or(baseEjectionTime, otherwise.baseEjectionTime()),
                Property.or(maxEjectionTime, otherwise.maxEjectionTime()),
                Property.or(maxEjectionPercent, otherwise.maxEjectionPercent()),
                Property.or(interval, otherwise.interval()),
                Property.or(successRateMinimumHosts, otherwise.successRateMinimumHosts()),
                Property.or(successRateRequestVolume, otherwise.successRateRequestVolume()),
                Property.or(successRateStdevFactor, otherwise.successRateStdevFactor()))));
    }
}
