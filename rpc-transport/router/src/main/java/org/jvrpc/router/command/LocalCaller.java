package org.jvrpc.router.command;

import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.Offer;

/** A QP of this host that is being connected. */
final class LocalCaller implements Caller {

    private final Sessions sessions;
    private final End from;
    private final int id;
    private final String asked;

    /** @param id of the frame that asks @param asked the address that is asked for */
    LocalCaller(Sessions sessions, End from, int id, String asked) {
        this.sessions = sessions;
        this.from = from;
        this.id = id;
        this.asked = asked;
        from.session().membership().take(QuotaKind.HALF_OPEN, 1);
    }

    End from() {
        return from;
    }

    @Override
    public TenantId tenant() {
        return from.session().tenant();
    }

    @Override
    public Home home(long waitedNs) {
        return from.session().home();
    }

    @Override
    public String address() {
        return from.session().address().text();
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public void done() {
        from.session().membership().give(QuotaKind.HALF_OPEN, 1);
    }

    @Override
    public boolean join(End listener, Contact contact, Offer answer, int frame) {
        sessions.joins().joinBoth(from, listener, contact);
        connected(contact.to(), answer.privateData());
        return true;
    }

    /** Says that it is connected. */
    void connected(TenantId to, byte[] privateData) {
        from.session().say(new Offer(0, to.name(), asked, privateData).frame(Command.CONNECTED, id, from.qp()));
    }

    @Override
    public void rejected(TenantId by, Offer answer) {
        from.session().say(new Offer(0, by.name(), asked, answer.privateData()).frame(Command.REJECT, id, from.qp()));
    }

    @Override
    public void refused(RefusedException why) {
        from.session().refuse(id, from.qp(), why);
    }

    @Override
    public boolean isOf(ControlSession session) {
        return from.session() == session;
    }

    @Override
    public boolean is(End end) {
        return from.equals(end);
    }
}
