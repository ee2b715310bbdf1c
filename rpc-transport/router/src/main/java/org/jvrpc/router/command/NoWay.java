package org.jvrpc.router.command;

import org.jvrpc.router.Home;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/** A router that knows no other. */
final class NoWay implements Meetings.Abroad {

    @Override
    public void ask(Asking one, Home to) {
        throw new RefusedException(Refusal.PEER_ROUTER, "address=" + one.address() + " lives on host=" + to.host()
                + ", to which there is no way");
    }

    @Override
    public void forget(Asking one) {
        // nobody was asked
    }
}
