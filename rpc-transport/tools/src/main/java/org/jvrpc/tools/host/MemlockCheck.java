package org.jvrpc.tools.host;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this process may lock: registered memory counts against it. Source: proc(5), capabilities(7). */
public final class MemlockCheck {

    private static final Pattern LIMIT = Pattern.compile("(?m)^Max locked memory +(\\w+) +(\\w+)");
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]+)");
    private static final int CAP_IPC_LOCK = 14;
    /** Rings and buffers of one session with default sizes fit in this, and not much else. */
    private static final long LEAST = 4L << 20;
    private static final long SCARCE = 256L << 20;
    private static final String CURE = "a line '* - memlock unlimited' in /etc/security/limits.d/rdma.conf and a new"
            + " log-in; systemd: LimitMEMLOCK=infinity; docker: --ulimit memlock=-1";

    private MemlockCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        return List.of(limit(host));
    }

    private static Finding limit(Host host) {
        String limits = host.read("/proc/self/limits");
        Matcher matcher = LIMIT.matcher(limits == null ? "" : limits);
        if (!matcher.find()) {
            return Finding.warn(Area.RDMA, "memlock", "the limit is unknown: /proc/self/limits does not tell", "");
        }
        String text = "soft " + people(matcher.group(1)) + ", hard " + people(matcher.group(2));
        long soft = bytes(matcher.group(1));
        if (soft < SCARCE && mayLock(host)) {
            return Finding.ok(Area.RDMA, "memlock", text + "; does not count: this process has CAP_IPC_LOCK");
        }
        if (soft < LEAST) {
            return Finding.fail(Area.RDMA, "memlock", text + ": queues and memory cannot be registered", CURE);
        }
        return soft < SCARCE
                ? Finding.warn(Area.RDMA, "memlock", text + ": enough for a few sessions", CURE)
                : Finding.ok(Area.RDMA, "memlock", text);
    }

    private static boolean mayLock(Host host) {
        String status = host.read("/proc/self/status");
        Matcher matcher = CAPABILITIES.matcher(status == null ? "" : status);
        return matcher.find() && (Long.parseUnsignedLong(matcher.group(1), 16) >>> CAP_IPC_LOCK & 1) == 1;
    }

    private static long bytes(String limit) {
        return limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit);
    }

    private static String people(String limit) {
        return limit.equals("unlimited") ? limit : Long.parseLong(limit) / 1024 + " KiB";
    }
}
