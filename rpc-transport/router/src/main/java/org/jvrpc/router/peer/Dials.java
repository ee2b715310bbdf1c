package org.jvrpc.router.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jvrpc.router.audit.Trouble;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.RouterRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which hosts are to be dialled, and when again. Names are looked up beside, as that may wait. The links' thread but
 * for {@link #want}, {@link #known} and {@link #trouble}.
 */
final class Dials {

    private static final Logger LOG = LoggerFactory.getLogger(Dials.class);
    /** For so long a host is wanted once somebody said so. */
    private static final long WANTED_NS = 2_000_000_000L;
    private static final long FIRST_NS = 20_000_000L;
    private static final long LONGEST_NS = 1_000_000_000L;

    private final ControlView view;
    private final Runnable wake;
    private final Map<String, Target> targets = new ConcurrentHashMap<>();
    /** Of hosts that were dialled in vain since there was a link. */
    private final Map<String, Trouble> troubles = new HashMap<>();
    private final ThreadPoolExecutor names = new ThreadPoolExecutor(1, 1, 2, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(256), work -> {
        Thread made = new Thread(work, "jvrpc-router-names");
        made.setDaemon(true);
        return made;
    });

    /** @param wake has the links' thread look at {@link #due}; any thread calls it */
    Dials(ControlView view, Runnable wake) {
        this.view = view;
        this.wake = wake;
        names.allowCoreThreadTimeOut(true);
    }

    /** A host. */
    private static final class Target {

        volatile long wantedNs;
        volatile String trouble;
        /** Its router is another one since the last attempt, perhaps. */
        volatile boolean fresh;
        long againNs;
        long backoffNs = FIRST_NS;
        Dial dial;

        Target(long nowNs) {
            wantedNs = nowNs;
            againNs = nowNs;
        }
    }

    /** An attempt. */
    static final class Dial {

        private final String host;
        private final long startNs;
        private volatile InetSocketAddress to;
        private volatile String failure;
        private SocketChannel socket;

        Dial(String host, long startNs) {
            this.host = host;
            this.startNs = startNs;
        }

        String host() {
            return host;
        }

        InetSocketAddress to() {
            return to;
        }

        void use(SocketChannel made) {
            socket = made;
        }

        private void drop() {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException e) {
                return; // it is gone all the same
            }
        }
    }

    /** Notes that a host is wanted; true when that is new. Any thread. */
    boolean want(String host, long nowNs) {
        Target fresh = new Target(nowNs);
        Target target = targets.putIfAbsent(host, fresh);
        if (target != null) {
            target.wantedNs = nowNs;
        }
        return target == null;
    }

    /** A host's router has come, or says anew where it is: it is dialled at once if it is wanted. Any thread. */
    void known(String host) {
        Target target = targets.get(host);
        if (target != null) {
            target.fresh = true;
            wake.run();
        }
    }

    /** Returns why a host was not reached last, or null. Any thread. */
    String trouble(String host) {
        Target target = targets.get(host);
        return target == null ? null : target.trouble;
    }

    boolean isWanted() {
        return !targets.isEmpty();
    }

    boolean isUnderWay(String host) {
        Target target = targets.get(host);
        return target != null && target.dial != null;
    }

    /** There is a link. */
    void done(String host) {
        targets.remove(host);
        Trouble trouble = troubles.remove(host);
        if (trouble != null) {
            trouble.over();
        }
    }

    void failed(Dial dial, String why, long nowNs) {
        dial.drop();
        failed(dial.host(), why, nowNs);
    }

    /** A link or an attempt has ended: not at once again. */
    void failed(String host, String why, long nowNs) {
        troubles.computeIfAbsent(host, absent -> new Trouble(LOG, "no link to host=" + host)).is(why);
        Target target = targets.computeIfAbsent(host, absent -> new Target(nowNs));
        target.trouble = why;
        target.dial = null;
        target.againNs = nowNs + target.backoffNs;
        target.backoffNs = Math.min(LONGEST_NS, 2 * target.backoffNs);
    }

    /** Returns whom to dial now; gives up attempts that take too long, and hosts that nobody wants any more. */
    List<Dial> due(long nowNs, long patienceNs, Predicate<String> isUp) {
        List<Dial> due = new ArrayList<>();
        targets.forEach((host, target) -> {
            Dial dial = target.dial;
            if (dial == null) {
                if (isUp.test(host) || nowNs - target.wantedNs > WANTED_NS) {
                    targets.remove(host, target);
                } else if (target.fresh || nowNs - target.againNs >= 0) {
                    target.backoffNs = target.fresh ? FIRST_NS : target.backoffNs;
                    target.fresh = false;
                    begin(host, target, nowNs);
                }
            } else if (dial.failure != null) {
                failed(dial, dial.failure, nowNs);
            } else if (dial.to != null && dial.socket == null) {
                due.add(dial);
            } else if (nowNs - dial.startNs > 2 * patienceNs) {
                failed(dial, "host=" + host + " at " + dial.to + " does not answer", nowNs);
            }
        });
        return due;
    }

    private void begin(String host, Target target, long nowNs) {
        RouterRecord record = view.router(host);
        if (record == null) {
            failed(host, "host=" + host + " has no router in the control plane", nowNs);
            return;
        }
        Dial dial = new Dial(host, nowNs);
        target.dial = dial;
        try {
            names.execute(() -> {
                find(record.control(), dial);
                wake.run();
            });
        } catch (RejectedExecutionException e) {
            failed(dial, "host=" + host + ": too many names are looked up", nowNs);
        }
    }

    private static void find(String control, Dial dial) {
        try {
            int colon = control.lastIndexOf(':');
            String name = control.substring(0, colon).replaceAll("^\\[|]$", "");
            InetSocketAddress found = new InetSocketAddress(name, Integer.parseInt(control.substring(colon + 1)));
            if (found.isUnresolved()) {
                dial.failure = "host=" + dial.host + " at " + control + ": the name is not known";
            } else {
                dial.to = found;
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            dial.failure = "host=" + dial.host + " control=" + control + " is not host:port";
        }
    }

    void close() {
        names.shutdownNow();
        targets.values().forEach(target -> {
            if (target.dial != null) {
                target.dial.drop();
            }
        });
    }
}
