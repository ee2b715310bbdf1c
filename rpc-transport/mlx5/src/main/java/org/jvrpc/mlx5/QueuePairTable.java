package org.jvrpc.mlx5;

/** QPs by their numbers. Any thread finds; who adds and removes holds a lock of its own. */
final class QueuePairTable {

    /** Half empty at least, so that a search ends; each at its number's place or behind it. */
    private volatile Mlx5QueuePair[] table = new Mlx5QueuePair[0];

    /** Returns the QP of a number, or null. */
    Mlx5QueuePair find(int qpn) {
        Mlx5QueuePair[] now = table;
        for (int i = now.length == 0 ? 0 : qpn % now.length, n = 0; n < now.length; n++) {
            Mlx5QueuePair qp = now[(i + n) % now.length];
            if (qp != null && qp.number() == qpn) {
                return qp;
            }
        }
        return null;
    }

    /** Adds a QP that is not there yet. */
    void add(Mlx5QueuePair qp) {
        remake(qp, null);
    }

    /** Removes a QP if it is there. */
    void remove(Mlx5QueuePair qp) {
        remake(null, qp);
    }

    private void remake(Mlx5QueuePair added, Mlx5QueuePair removed) {
        int count = 1;
        for (Mlx5QueuePair qp : table) {
            count += qp == null ? 0 : 1;
        }
        Mlx5QueuePair[] next = new Mlx5QueuePair[Mlx5QueuePair.roundUp(count * 2)];
        for (Mlx5QueuePair qp : table) {
            if (qp != added && qp != removed) {
                put(next, qp);
            }
        }
        put(next, added);
        table = next;
    }

    private static void put(Mlx5QueuePair[] table, Mlx5QueuePair qp) {
        if (qp != null) {
            int i = qp.number() % table.length;
            while (table[i] != null) {
                i = (i + 1) % table.length;
            }
            table[i] = qp;
        }
    }
}
