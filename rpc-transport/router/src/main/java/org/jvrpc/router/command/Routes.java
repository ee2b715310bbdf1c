package org.jvrpc.router.command;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.home.Contact;
import org.jvrpc.softrnic.router.wire.RouteNote;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways of address handles: which device may send datagrams to which. Each counts as a connection of the tenant
 * that asked for it, and is closed when rules or homes do not allow it any more. The sessions' thread.
 */
final class Routes {

    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

    private final Sessions sessions;
    private final Map<Way, Contact> ways = new HashMap<>();

    /** @param index of the way at its device */
    private record Way(ControlSession session, int index) { }

    Routes(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Opens a way; returns its index. @throws RefusedException when it may not be */
    int open(ControlSession from, RouteNote note) {
        ControlSession to = sessions.device(note.device(), note.incarnation());
        sessions.policy().check(from.tenant(), to.tenant(), 0, sessions.nowNs());
        from.membership().take(QuotaKind.CONNECTIONS, 1);
        try {
            int index = from.device().route(note.pd(), to.device(), note.device());
            ways.put(new Way(from, index), new Contact(from.tenant(), from.home(), to.tenant(), to.home(), 0));
            return index;
        } catch (RuntimeException e) {
            from.membership().give(QuotaKind.CONNECTIONS, 1);
            throw e;
        }
    }

    /** Closes a way; one that was closed from here is gone already. @throws RefusedException when there is none */
    void close(ControlSession from, int index) {
        if (sessions.remotes().routes().close(from, index)) {
            return;
        }
        if (ways.remove(new Way(from, index)) == null) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + from.number() + " has no way number=" + index);
        }
        from.device().unroute(index);
        from.membership().give(QuotaKind.CONNECTIONS, 1);
    }

    /** A device is gone, and with it the ways that it had. */
    void gone(ControlSession session) {
        ways.keySet().removeIf(way -> way.session() == session);
        sessions.remotes().routes().gone(session);
    }

    /** Closes ways that must not be any more; returns them. */
    Set<Contact> endThose(Predicate<Contact> unwanted) {
        Set<Contact> ended = sessions.remotes().routes().endThose(unwanted);
        for (Way way : Set.copyOf(ways.keySet())) {
            Contact contact = ways.get(way);
            if (unwanted.test(contact)) {
                ended.add(contact);
                try {
                    close(way.session(), way.index());
                } catch (RefusedException e) {
                    LOG.debug("a way of a device that has ended: {}", e.getMessage());
                }
            }
        }
        return ended;
    }
}
