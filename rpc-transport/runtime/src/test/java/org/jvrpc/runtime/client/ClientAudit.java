package org.jvrpc.runtime.client;

import org.jvrpc.runtime.connection.ClientCore;

/** Looks whether a client rests, from outside its threads. */
public final class ClientAudit {

    private ClientAudit() {
    }

    /** Breaks the client's connection, as a failure of its QP does. */
    public static void breakOff(ClientCore client) {
        ClientSession session = client.session();
        if (session != null) {
            session.link().breakOff();
        }
    }

    /** Returns how many slots the client's session has. */
    public static int slots(ClientCore client) {
        return client.session().attendance().slots().count();
    }

    /** Returns what is still under way at a client that nobody calls by, or null. */
    public static String unrest(ClientCore client) {
        ClientSession session = client.session();
        if (session == null || !session.isUsable()) {
            return "no session";
        }
        if (((SessionOwner) client).isDraining()) {
            return "sessions drain";
        }
        if (session.attendance().asyncCalls() != 0 || session.unattended() != 0) {
            return "asynchronous calls=" + session.attendance().asyncCalls() + " unattended=" + session.unattended();
        }
        for (ClientSlot slot : session.attendance().slots().all()) {
            if (slot.state() != SlotState.FREE && slot.state() != SlotState.LEAVING) { // which who claims looks after
                return "slot in state=" + slot.state();
            }
        }
        return null;
    }
}
