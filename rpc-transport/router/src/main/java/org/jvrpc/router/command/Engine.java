package org.jvrpc.router.command;

import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.TenantId;

/** What executes the work of all tenants' QPs, as sessions see it. */
public interface Engine {

    /** What a device is told. Called by workers: never waits, never throws. */
    interface Told {

        /** A completion came to a CQ that was armed. */
        void wake(int cq);

        /** A QP went to ERR by itself. */
        void failed(int qp);

        /** A WQE of the device's named memory of a peer by a key that does not allow it. */
        default void accessRefused() {
            // nobody counts
        }

        /** The engine lets go of the device, as its memory is not what was said: the session ends. */
        void expelled(String why);
    }

    /**
     * Begins with a device that has no memory yet.
     *
     * @param number of the device, which no other living one has
     */
    EngineDevice open(TenantId tenant, int number, Told told);

    /**
     * Has what a QP sends go to another from now on: moves the sender from INIT to RTR and RTS, and the tenant's copy
     * of its state. Both live; who sends to the peer already is not looked at here.
     *
     * @throws org.jvrpc.router.RefusedException when the sender is not in INIT, the peer cannot receive, or one of them
     *     is of another kind
     */
    void connect(EngineDevice from, int qp, EngineDevice to, int peer);

    /**
     * Has a QP send to one of another host, and receive from it, from now on: moves it as the other one does.
     *
     * @throws org.jvrpc.router.RefusedException when it is not in INIT, or there is no way to other hosts
     */
    default void connect(EngineDevice from, int qp, RemoteConnection to) {
        throw new RefusedException(Refusal.PEER_ROUTER, "qp=" + qp + " host=" + to.host()
                + ": this router has no way to other hosts");
    }
}
