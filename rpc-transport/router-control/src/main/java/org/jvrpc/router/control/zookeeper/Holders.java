package org.jvrpc.router.control.zookeeper;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.map.Home;

/**
 * Since when hosts have been away, and addresses been on their way. A router that is not confirmed for a bound takes
 * nobody any more; so what has been so for longer than the bound is either known to each router or cannot be acted
 * against. Where nothing was seen for a while, time begins anew. Any thread.
 */
final class Holders {

    private final String host;
    private final long boundNs;
    private final Map<VirtualAddress, Home> moving = new HashMap<>();
    private final Map<VirtualAddress, Long> movingNs = new HashMap<>();
    private final Map<String, Long> awayNs = new HashMap<>();
    private final Map<VirtualAddress, Long> leavingNs = new HashMap<>();

    /** @param host whose router this is */
    Holders(String host, long boundNs) {
        this.host = host;
        this.boundNs = boundNs;
    }

    /** What happened for a while was not seen. */
    synchronized void unseen() {
        moving.clear();
        movingNs.clear();
        awayNs.clear();
    }

    synchronized void see(ControlState now, long nowNs) {
        awayNs.keySet().removeAll(now.routers().keySet());
        movingNs.keySet().removeIf(address -> !moving.get(address).equals(now.homes().get(address)));
        moving.keySet().retainAll(movingNs.keySet());
        now.homes().forEach((address, home) -> {
            if (!home.host().isEmpty() && !now.routers().containsKey(home.host())) {
                awayNs.putIfAbsent(home.host(), nowNs);
            }
            if (!home.host().equals(host)) {
                leavingNs.remove(address);
            } else if (home.state() == Home.State.MOVING) {
                leavingNs.putIfAbsent(address, nowNs);
            }
            if (home.state() == Home.State.MOVING) {
                moving.putIfAbsent(address, home);
                movingNs.putIfAbsent(address, nowNs);
            }
        });
    }

    /** Returns how long an address must still be waited for, 0 where it is free. */
    synchronized long waitNs(Home home, long nowNs) {
        if (home.host().equals(host)) {
            return leaving(home, nowNs);
        }
        if (home.state() == Home.State.GONE) {
            return 0;
        }
        Long away = awayNs.get(home.host());
        Long since = home.equals(moving.get(home.address())) ? movingNs.get(home.address()) : null;
        long first = Math.max(away == null ? -1 : nowNs - away, since == null ? -1 : nowNs - since);
        return first < 0 ? Long.MAX_VALUE : Math.max(0, boundNs - first);
    }

    /** What was told to move away does not come back at once, however fast its tenant attaches again. */
    private long leaving(Home home, long nowNs) {
        Long since = leavingNs.get(home.address());
        if (since != null && nowNs - since > boundNs) {
            leavingNs.remove(home.address());
            return 0;
        }
        return since == null ? 0 : boundNs - (nowNs - since);
    }
}
