package org.jvrpc.softrnic;

/** The UD QPs that one QP sent to, by address handle and number. One thread; allocates for new ones only. */
final class DatagramTargets {

    private static final int MAX = 4096;

    private SoftAddressHandle[] handles = new SoftAddressHandle[16];
    private DatagramTarget[] targets = new DatagramTarget[16];
    private int count;

    /** Returns a QP that takes messages, or null when there is none. */
    DatagramTarget find(SoftAddressHandle handle, int qpn) {
        int place = place(handle, qpn);
        DatagramTarget known = targets[place];
        if (known != null && known.isReady()) {
            return known;
        }
        DatagramTarget fresh = handle.find(qpn);
        if (fresh == null || fresh.qpn() != qpn || !fresh.isReady()) {
            return null;
        }
        if (known == null && ++count > targets.length / 2) {
            grow();
            place = place(handle, qpn);
        }
        handles[place] = handle;
        targets[place] = fresh;
        return fresh;
    }

    private int place(SoftAddressHandle handle, int qpn) {
        int place = handle.index() * 31 + qpn & targets.length - 1;
        while (targets[place] != null && (handles[place] != handle || targets[place].qpn() != qpn)) {
            place = place + 1 & targets.length - 1;
        }
        return place;
    }

    /** Doubles the room, or, when there are very many, forgets them all. */
    private void grow() {
        SoftAddressHandle[] oldHandles = handles;
        DatagramTarget[] old = targets;
        int length = old.length < MAX ? old.length * 2 : 16;
        handles = new SoftAddressHandle[length];
        targets = new DatagramTarget[length];
        count = 1;
        for (int i = 0; i < old.length && length > old.length; i++) {
            if (old[i] != null) {
                int place = place(oldHandles[i], old[i].qpn());
                handles[place] = oldHandles[i];
                targets[place] = old[i];
                count++;
            }
        }
    }
}
