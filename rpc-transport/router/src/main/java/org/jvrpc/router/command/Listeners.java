package org.jvrpc.router.command;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.router.wire.ListenNote;

/** Who listens where on this host. The sessions' thread. */
final class Listeners {

    private final Map<Place, Listening> all = new HashMap<>();

    private record Place(String address, int port) { }

    /** A listener of a device, by its number. */
    record Listening(ControlSession session, int number) { }

    /** @throws RefusedException when somebody listens there already, or the address is not the tenant's */
    void listen(ControlSession session, ListenNote note) {
        Place place = new Place(note.address(), note.port());
        if (session.membership().addresses().stream().noneMatch(own -> own.text().equals(note.address()))) {
            throw new RefusedException(Refusal.NOT_YOURS, "tenant=" + session.tenant() + " has not address="
                    + note.address());
        }
        Listening has = all.get(place);
        if (has != null && has.session().tenant().equals(session.tenant())) {
            throw new RefusedException(Refusal.BUSY, "address=" + note.address() + " port=" + note.port()
                    + " is in use by a listener of device=" + has.session().number());
        }
        session.membership().take(QuotaKind.LISTENERS, 1);
        if (has != null) { // its tenant has that address no more
            unlisten(has.session(), has.number());
        }
        all.put(place, new Listening(session, note.listener()));
    }

    /** Ends a listener; those that were offered to it may still be answered. */
    void unlisten(ControlSession session, int number) {
        if (all.values().remove(new Listening(session, number))) {
            session.membership().give(QuotaKind.LISTENERS, 1);
        }
    }

    /** Returns who listens there, or null. */
    Listening find(String address, int port) {
        return all.get(new Place(address, port));
    }

    /** A device is gone. */
    void gone(ControlSession session) {
        all.values().removeIf(listening -> listening.session() == session);
    }

    int count() {
        return all.size();
    }
}
