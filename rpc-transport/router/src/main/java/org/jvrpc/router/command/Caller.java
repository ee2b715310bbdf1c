package org.jvrpc.router.command;

import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.Offer;

/** Who wants to connect: a QP of this host or of another one. The sessions' thread. */
interface Caller {

    TenantId tenant();

    /**
     * Returns where its own address lives; null: that is to be known soon.
     *
     * @param waitedNs how long it is asking
     * @throws org.jvrpc.router.RefusedException when it has none, or none where it says
     */
    Home home(long waitedNs);

    /** Returns its address, as the listener is told. */
    String address();

    /** True for one of another host. */
    boolean isRemote();

    /** It is asking no more. */
    void done();

    /**
     * Connects it to a QP of a listener's device.
     *
     * @param answer of the listener
     * @param id of the listener's frame
     * @return false: the listener's frame is answered later
     * @throws org.jvrpc.router.RefusedException when it cannot be; it is not told so
     */
    boolean join(End listener, Contact contact, Offer answer, int id);

    /** The listener does not want it. */
    void rejected(TenantId by, Offer answer);

    void refused(RefusedException why);

    /** True for a QP of a device. */
    boolean isOf(ControlSession session);

    boolean is(End end);
}
