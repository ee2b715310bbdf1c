package org.jvrpc.fabric.host;

import org.jvrpc.fabric.network.Frame;

/** Who may have something to send: each sends one packet, then goes behind the others. */
final class TurnList {

    private Talker first;
    private Talker last;
    private int listed;
    private int lanesInUse;

    void add(Talker talker) {
        append(talker);
        lanesInUse |= 1 << talker.lane();
    }

    private void append(Talker talker) {
        talker.listed = true;
        talker.nextListed = null;
        if (first == null) {
            first = talker;
        } else {
            last.nextListed = talker;
        }
        last = talker;
        listed++;
    }

    private Talker take() {
        Talker talker = first;
        first = talker.nextListed;
        talker.listed = false;
        listed--;
        return talker;
    }

    /**
     * Returns the next packet, or null.
     *
     * @param ready lanes that may send, as bits
     */
    Frame next(int ready, long nowNs) {
        if ((ready & lanesInUse) == 0) {
            return null;
        }
        for (int left = listed; left > 0 && first != null; left--) {
            Talker talker = take();
            if ((ready >> talker.lane() & 1) == 0) {
                append(talker);
                continue;
            }
            Frame frame = talker.turn(nowNs);
            if (frame != null) {
                if (!talker.listed) {
                    append(talker);
                }
                return frame;
            }
        }
        return null;
    }

    void clear() {
        while (first != null) {
            take();
        }
    }
}
