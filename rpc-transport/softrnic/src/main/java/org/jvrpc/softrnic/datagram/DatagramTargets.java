package org.jvrpc.softrnic.datagram;

/** The UD QPs that one QP sent to, by route and number. One thread; allocates for new ones only. */
final class DatagramTargets {

    private static final int MAX = 4096;

    private DatagramRoute[] routes = new DatagramRoute[16];
    private DatagramTarget[] targets = new DatagramTarget[16];
    private int count;

    /** Returns a QP that takes messages, or null when there is none. */
    DatagramTarget find(DatagramRoute route, int qpn) {
        int place = place(route, qpn);
        DatagramTarget known = targets[place];
        if (known != null && known.isReady()) {
            return known;
        }
        DatagramTarget fresh = route.find(qpn);
        if (fresh == null || fresh.qpn() != qpn || !fresh.isReady()) {
            return null;
        }
        if (known == null && ++count > targets.length / 2) {
            grow();
            place = place(route, qpn);
        }
        routes[place] = route;
        targets[place] = fresh;
        return fresh;
    }

    private int place(DatagramRoute route, int qpn) {
        int place = route.index() * 31 + qpn & targets.length - 1;
        while (targets[place] != null && (routes[place] != route || targets[place].qpn() != qpn)) {
            place = place + 1 & targets.length - 1;
        }
        return place;
    }

    /** Doubles the room, or, when there are very many, forgets them all. */
    private void grow() {
        DatagramRoute[] oldRoutes = routes;
        DatagramTarget[] old = targets;
        int length = old.length < MAX ? old.length * 2 : 16;
        routes = new DatagramRoute[length];
        targets = new DatagramTarget[length];
        count = 1;
        for (int i = 0; i < old.length && length > old.length; i++) {
            if (old[i] != null) {
                int place = place(oldRoutes[i], old[i].qpn());
                routes[place] = oldRoutes[i];
                targets[place] = old[i];
                count++;
            }
        }
    }
}
