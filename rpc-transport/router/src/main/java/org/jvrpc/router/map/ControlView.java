package org.jvrpc.router.map;

import java.util.List;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;

/** What the control plane says, as far as it is known. Reads do not block. Any thread. */
public interface ControlView extends AutoCloseable {

    /** Returns the epoch of the newest thing that was read. */
    long epoch();

    /** Returns {@code System.nanoTime()} of when the ensemble last answered. */
    long confirmedNs();

    /** Returns a tenant, or null. */
    TenantRecord tenant(TenantId id);

    /** Returns where an address lives, or null. */
    Home home(VirtualAddress address);

    /** Returns a host's router, or null. */
    RouterRecord router(String host);

    List<Rule> rules();

    /** Returns why this may be old, or null. */
    String trouble();

    /** Sets who is told of changes, by the view's own thread. To be called once. */
    void listen(Changes changes);

    @Override
    void close();

    /** Is told what has changed. */
    interface Changes {

        /** Its quota, its tokens, or that it was revoked. */
        void tenant(TenantRecord now);

        /** @param before null: it had none */
        void home(Home before, Home now);

        void rules();

        void router(RouterRecord now, boolean there);

        /** An older map counts from now on, as an operator wants it: what was claimed by the newer one does not. */
        default void wentBack() {
            // who keeps no claims has nothing to forget
        }
    }
}
