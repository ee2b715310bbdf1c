package org.jvrpc.router.lane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.verbs.WcStatus;

/** This router and another, while there is a link between them: its connections, and its lanes once they are there. */
final class Pair {

    private final Peer peer;
    private final LanePath path;
    private final List<RemoteQp> qps = new ArrayList<>();
    private final Map<Object, Holder> holders = new HashMap<>();
    /** Those that have something to send and no room for it. */
    private List<RemoteQp> waiting = new ArrayList<>();
    private List<RemoteQp> woken = new ArrayList<>();
    private LaneSet lanes;
    private long lessNs = Long.MAX_VALUE;

    Pair(Peer peer, LanePath path) {
        this.peer = peer;
        this.path = path;
    }

    Peer peer() {
        return peer;
    }

    /** Returns null while there are none. */
    LaneSet lanes() {
        return lanes;
    }

    RemoteQp begin(RemoteConnection to, RemotePath.Local local) {
        Holder holder = holders.computeIfAbsent(local.owner(), key -> new Holder());
        RemoteQp qp = new RemoteQp(to, this, local, holder);
        qps.add(qp);
        return qp;
    }

    void end(RemoteQp qp) {
        if (qps.remove(qp)) {
            waiting.remove(qp);
            holderless(qp);
            path.forget(qp);
        }
    }

    private void holderless(RemoteQp qp) {
        qp.holder().use(-1);
        if (!qp.holder().isUsed()) {
            holders.values().remove(qp.holder());
        }
    }

    /** It has something to send when there is room. */
    void await(RemoteQp qp) {
        waiting.add(qp);
    }

    /** There are lanes now, where there were none. */
    void up(LaneSet made) {
        lanes = made;
        lessNs = Long.MAX_VALUE;
        wakeWaiting();
    }

    void wakeWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        List<RemoteQp> now = waiting;
        waiting = woken;
        woken = now;
        for (int i = 0; i < now.size(); i++) {
            now.get(i).room();
        }
        now.clear();
    }

    /** The lanes are lost, with what is under way; returns them, or null. */
    LaneSet lose() {
        failAll();
        LaneSet lost = lanes;
        lanes = null;
        return lost;
    }

    private void failAll() {
        for (int i = qps.size() - 1; i >= 0; i--) {
            qps.get(i).fail(WcStatus.RETRY_EXC_ERR);
        }
        waiting.clear();
    }

    /** Ends connections that wait for word in vain; returns how many. */
    int endSilent(long nowNs) {
        int count = 0;
        for (int i = qps.size() - 1; i >= 0; i--) {
            count += qps.get(i).endSilent(nowNs) ? 1 : 0;
        }
        return count;
    }

    int poll(long nowNs) {
        if (lanes != null) {
            return lanes.poll(nowNs);
        }
        if (waiting.isEmpty()) {
            lessNs = Long.MAX_VALUE;
        } else if (lessNs == Long.MAX_VALUE) {
            lessNs = nowNs + RemoteQp.BUSY_NS;
        } else if (lessNs - nowNs <= 0) {
            failAll();
            lessNs = Long.MAX_VALUE;
            return 1;
        }
        return 0;
    }

    boolean isBusy(long nowNs) {
        return lanes != null && lanes.isBusy(nowNs);
    }

    /** Returns in how many nanoseconds it has something to do by itself. */
    long nextNs(long nowNs) {
        return lanes != null ? lanes.nextNs(nowNs) : lessNs == Long.MAX_VALUE ? Long.MAX_VALUE : lessNs - nowNs;
    }
}
