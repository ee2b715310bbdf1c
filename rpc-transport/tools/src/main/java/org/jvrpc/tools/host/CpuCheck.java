package org.jvrpc.tools.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jvrpc.verbs.host.CpuQuota;

/**
 * How much CPU time a container leaves to this process: a thread that spins uses up a quota, and then every thread of
 * the group stands still for the rest of the period, which a call waits for.
 */
public final class CpuCheck {

    private static final String CHECK = "CPU quota";
    /** Threads of one call that spin: the caller's, and the server's poller. */
    private static final int SPINNING = 2;
    private static final String CURE = "raise the quota (docker: --cpus=N; Kubernetes: resources.limits.cpu) to one CPU"
            + " for each thread that spins and one for the JVM's own, or let threads sleep: IdleStrategy.BLOCK";

    private CpuCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        List<CpuQuota> quotas = CpuQuota.read(host.path("/proc"), host.path("/sys/fs/cgroup"));
        return quotas.isEmpty()
                ? List.of(Finding.ok(Area.SHM, CHECK, "none"))
                : quotas.stream().map(quota -> finding(host, quota)).toList();
    }

    private static Finding finding(Host host, CpuQuota quota) {
        String text = String.format(Locale.ROOT, "%s CPUs, by /%s; throttled in %d of %d periods of %d ms,"
                + " %d ms in all", number(quota.cpus()), relative(host, quota), quota.throttledPeriods(),
                quota.periods(), quota.periodNs() / 1_000_000, quota.throttledNs() / 1_000_000);
        if (quota.cpus() < SPINNING) {
            return Finding.warn(Area.SHM, CHECK, text + "; the two threads of a call, caller and poller, spin under"
                    + " IdleStrategy.SPIN always and under ADAPTIVE while there is load: with both here, they are"
                    + " throttled", CURE);
        }
        return quota.throttledPeriods() > 0
                ? Finding.warn(Area.SHM, CHECK, text + "; calls waited for the next period", CURE)
                : Finding.ok(Area.SHM, CHECK, text);
    }

    private static Path relative(Host host, CpuQuota quota) {
        return host.root().relativize(quota.source());
    }

    /** 2, 1.5, 0.125: as few digits as there are. */
    private static String number(double cpus) {
        return String.format(Locale.ROOT, "%.3f", cpus).replaceFirst("\\.?0+$", "");
    }
}
