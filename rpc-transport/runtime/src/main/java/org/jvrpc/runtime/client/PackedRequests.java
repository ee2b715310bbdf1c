package org.jvrpc.runtime.client;

import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Packed;
import org.jvrpc.runtime.thread.Clock;

/**
 * The requests that callbacks make: short ones leave several in a message, where the server takes that and callbacks
 * are quick, as what messages cost is mostly that their lines move from one processor to the other. All leave when the
 * callbacks at hand have run: a locked operation behind a send waits until its lines have come. The thread that calls
 * callbacks.
 */
final class PackedRequests {

    /** Requests are held while callbacks take no longer than this. */
    private static final long QUICK_NS = 1000;
    /** Of so many runs one is timed. */
    private static final int RUNS_PER_LOOK = 16;
    /** A run of callbacks makes no more messages than this, mostly. */
    private static final int MOST_MESSAGES = 8;
    /** More requests do not find room in them. */
    private static final int MOST_REQUESTS = MOST_MESSAGES * Packed.MOST;

    private final ClientSession session;
    private final Link link;
    private final Clock clock;
    private final boolean packs;
    /** Messages, the numbers of the slots that they lie in, and of all whose requests are in them. */
    private final Packed[] messages = new Packed[MOST_MESSAGES];
    private final int[] places = new int[MOST_MESSAGES];
    private final int[] held = new int[MOST_REQUESTS];
    private int messageCount;
    private int count;
    private boolean open;
    private boolean quick;
    private int untilLook;
    private boolean timed;
    private long startNs;

    /** @param packs whether the server takes several requests in a message */
    PackedRequests(ClientSession session, Link link, boolean packs) {
        this.session = session;
        this.link = link;
        this.clock = session.clock();
        this.packs = packs;
        for (int i = 0; i < MOST_MESSAGES; i++) {
            messages[i] = new Packed();
        }
    }

    /** Callbacks begin to run. */
    void begin() {
        open = packs && quick;
        timed = --untilLook <= 0;
        if (timed) {
            untilLook = RUNS_PER_LOOK;
            startNs = clock.nanoTime();
        }
    }

    /** So many have run: sends what is held. */
    void end(int callbacks) {
        open = false;
        flush();
        if (timed) {
            timed = false;
            quick = clock.nanoTime() - startNs < callbacks * QUICK_NS;
        }
    }

    /** Takes a request, which leaves soon; false when it is to be sent at once. */
    boolean add(ClientSlot slot, long head, long lengths, int length) {
        if (!open || length > Packed.LONGEST_FIRST) {
            flush();
            return false;
        }
        if (messageCount == 0 || !messages[messageCount - 1].append(slot.memory(), head, lengths, length)) {
            if (messageCount == MOST_MESSAGES) {
                flush();
            }
            messages[messageCount].begin(slot.memory(), head, lengths, length);
            places[messageCount++] = slot.index;
        }
        held[count++] = slot.index;
        return true;
    }

    /** Returns true while a request is held. Other threads may be told either. */
    boolean areHeld() {
        return count > 0;
    }

    /** Sends what is held. */
    void flush() {
        if (count == 0) {
            return;
        }
        boolean first;
        session.lock();
        try {
            first = session.attendance().asyncStarts(count);
            SlotTable slots = session.attendance().slots();
            for (int i = 0; i < count; i++) {
                slots.find(held[i]).sending();
            }
            int all = messageCount;
            messageCount = 0;
            count = 0;
            for (int i = 0; i < all; i++) {
                send(places[i], messages[i]);
            }
        } finally {
            session.unlock();
        }
        session.client().events().attend(first);
    }

    private void send(int index, Packed packed) {
        boolean sent = false;
        try {
            sent = !session.isLost() && link.send(index, packed.first(), packed.second(), packed.length());
        } catch (Throwable t) { // whatever it was, whether the message left is not known
            session.breakDown(t);
        }
        if (!sent) {
            session.failSent();
        }
    }
}
