package org.jvrpc.runtime;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** The slots of a client's session, and who gets one. Many threads. */
final class SlotTable {

    private final ClientSession session;
    private final ClientSlot[] slots;
    /** Of the slots that threads have for their own: a power of two of them, so that no division finds one. */
    private final int ownMask;
    private int next; // a hint; races do no harm

    SlotTable(ClientSession session, Link link, int count) {
        this.session = session;
        this.slots = new ClientSlot[count];
        this.ownMask = Integer.highestOneBit(count) - 1;
        for (int i = 0; i < count; i++) {
            slots[i] = new ClientSlot(session, i, link.body(i));
        }
    }

    ClientSlot[] all() {
        return slots;
    }

    /** Returns a slot by its number from the wire, or null. */
    ClientSlot find(int index) {
        return index < slots.length ? slots[index] : null;
    }

    /** Claims a slot, waiting for one within the deadline: the same one for the same thread where it is free. */
    ClientSlot claim(long deadlineNs) {
        ClientSlot slot = slots[(int) Thread.currentThread().getId() & ownMask];
        if (slot.tryClaim()) {
            return slot;
        }
        slot = claimAny();
        return slot != null ? slot : waitForSlot(deadlineNs);
    }

    private ClientSlot claimAny() {
        for (int n = 0, i = next; n < slots.length; n++) {
            i = i + 1 >= slots.length ? 0 : i + 1;
            if (slots[i].tryClaim()) {
                next = i;
                return slots[i];
            }
        }
        return null;
    }

    private ClientSlot waitForSlot(long deadlineNs) {
        long startNs = System.nanoTime();
        for (int spins = 0;; spins++) {
            session.helpSelf();
            ClientSlot slot = claimAny();
            if (slot != null) {
                return slot;
            }
            session.checkUsable();
            if (System.nanoTime() - startNs > deadlineNs) {
                throw new RpcException(Status.DEADLINE_EXCEEDED, "no slot came free in " + deadlineNs / 1000
                        + " us: slots=" + slots.length);
            }
            SessionLock.pause(spins);
        }
    }

    /** Ends the asynchronous calls whose time is over. Event thread. */
    void expire(long nowNs) {
        for (ClientSlot slot : slots) {
            RpcFuture<?> future = slot.future;
            if (future != null && future.isOver(nowNs)) {
                String method = slot.method().fullName();
                if (session.giveUp(slot, future)) {
                    future.completeExceptionally(
                            new RpcException(Status.DEADLINE_EXCEEDED, "no answer in time: " + method));
                }
            }
        }
    }

    /** Returns true when nobody uses a slot. Where the session is lost, no answer comes that slots could wait for. */
    boolean allFree(boolean lost) {
        boolean free = true;
        for (ClientSlot slot : slots) {
            if (lost) {
                slot.retire();
            }
            slot.left(lost);
            free &= slot.state() == ClientSlot.FREE;
        }
        return free;
    }
}
