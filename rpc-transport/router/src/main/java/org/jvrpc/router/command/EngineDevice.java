package org.jvrpc.router.command;

import java.util.Collection;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SrqNote;

/**
 * A tenant's device in the engine. What a note says is in its field's range, and no more is known of it: whether it
 * fits the memory is for the engine to look at. Called by the sessions' thread; but for {@link #ring} each may wait a
 * round of the worker, and is done when it returns: what was destroyed is not touched any more.
 *
 * <p>All throw {@link org.jvrpc.router.RefusedException}, with nothing done, for what is not there, or there already.
 */
public interface EngineDevice {

    /** Takes memory that was checked and mapped, see {@link Membership#open}. */
    void add(Slab slab);

    /** Gives up a slab that no region, queue or context lies in. */
    void drop(int segment);

    /** Makes a region usable; returns what peers know its key by. */
    int register(RegionNote note);

    /** Ends a region: nothing is copied by it any more. */
    void deregister(int lkey);

    void create(CqNote note);

    void create(SrqNote note);

    void create(QpNote note);

    /**
     * Does something with the group of chains of a protection domain.
     *
     * @return how it is; null when it was just made, or is no more
     */
    ChainsNote.State chains(ChainsNote note);

    /**
     * Opens the way of an address handle.
     *
     * @param pd number of the handle's protection domain
     * @param device number of the device that it leads to
     * @return its number among the device's, 1 to 65,535
     */
    int route(int pd, EngineDevice to, int device);

    /**
     * As {@link #route(int, EngineDevice, int)}, to a device of another host. What goes by it is dropped until
     * {@link #lead}.
     */
    int route(int pd, int device);

    /** Has a way to another host lead there from now on. @param to null: what goes by it is dropped */
    void lead(int index, RemoteConnection to);

    /** Returns true while what it sends to another host goes there at once. Any thread, never waits. */
    boolean reaches(String host);

    /** Takes the datagrams of a way from another host, from now on. */
    void admit(RemoteConnection from);

    /** Takes those of a way, by its number here, no more. Of one that is not there nothing is done. */
    void dismiss(int own);

    /** Closes a way. */
    void unroute(int index);

    void destroyCq(int number);

    void destroySrq(int number);

    /** Ends a QP: nothing is delivered to it or sent by it any more. */
    void destroyQp(int number);

    /** Moves a datagram QP from INIT to RTS. */
    void ready(int qp);

    /** Moves a QP to ERR; what it had under way is flushed. Of one that is there already nothing is done. */
    void fail(int qp);

    /** As {@link #fail}, of several at once; of those that it has not nothing is done. */
    void failAll(Collection<Integer> qps);

    /** There are blocks in a QP's send ring up to a producer, as the tenant says. Any thread, never waits or throws. */
    void ring(int qp, int producer);

    /** The device has written to a submit ring while its worker looked elsewhere. Any thread, never waits or throws. */
    void look();

    /** Ends it with all that it has; no memory of it is touched any more. Idempotent. */
    void end();

    /** As {@link #end}, whenever the worker comes to it: nobody waits. @param then what it does then */
    void endLater(Runnable then);
}
