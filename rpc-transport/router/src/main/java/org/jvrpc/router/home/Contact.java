package org.jvrpc.router.home;

import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.Home;

/**
 * Who reaches whom by a connection.
 *
 * @param from who asked for it
 * @param fromHome of its address when the connection was made; null: nobody knew it
 * @param toHome of the address that was asked for; null: as above
 * @param port at which the other one listened; 0 where nobody did
 */
public record Contact(TenantId from, Home fromHome, TenantId to, Home toHome, int port) {

    /** Tells whether one of both addresses lives elsewhere now, or may: it was claimed anew, or is on its way. */
    public boolean isStale(Homes homes) {
        return isStale(fromHome, homes) || isStale(toHome, homes);
    }

    private static boolean isStale(Home was, Homes homes) {
        if (was == null) {
            return false;
        }
        Home now = homes.home(was.address());
        return now == null || now.epoch() > was.epoch() || !now.host().equals(was.host()) || Homes.isOnItsWay(now);
    }

    @Override
    public String toString() {
        return "connection from tenant=" + from + " address=" + text(fromHome) + " to tenant=" + to + " address="
                + text(toHome) + " port=" + port;
    }

    private static String text(Home home) {
        return home == null ? "unknown" : home.address() + " epoch=" + home.epoch();
    }
}
