package org.jvrpc.ibverbs.cm;

import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;

/** Why the other side's connection manager said no. Source: IBA volume 1, 12.6.7.2, rejection reasons. */
final class Rejection {

    private static final int TIMEOUT = 4;
    private static final int INVALID_SERVICE_ID = 8;
    private static final int CONSUMER = 28;

    private Rejection() {
    }

    /** @param privateData what the listener said, null when it was its kernel that said no */
    static ConnectionException of(String address, int reason, byte[] privateData) {
        if (reason == INVALID_SERVICE_ID) {
            return new ConnectionException(Reason.UNREACHABLE, "nobody listens at " + address
                    + ": is the server started, with this host and port?", null);
        }
        if (reason == TIMEOUT) {
            return new ConnectionException(Reason.TIMEOUT, address + " gave up: reason=4 (timeout)", null);
        }
        if (reason == CONSUMER && privateData == null) {
            return new ConnectionException(Reason.UNREACHABLE, "the listener of " + address
                    + " closed or died without an answer", null);
        }
        return new ConnectionException(Reason.REJECTED, address + " refused: reason=" + describe(reason),
                PrivateBytes.orEmpty(privateData), null);
    }

    private static String describe(int reason) {
        return reason + switch (reason) {
            case 1 -> " (no QP available)";
            case 3 -> " (no resources available)";
            case 5 -> " (unsupported request)";
            case 6 -> " (invalid communication id)";
            case 9 -> " (invalid transport service: the peer listens for datagrams)";
            case 10 -> " (stale connection: the peer still knows this QP's number from before)";
            case 12 -> " (invalid GID)";
            case 24, 25 -> " (redirected to another port, which is not followed)";
            case CONSUMER -> " (by the listener itself)";
            default -> "";
        };
    }
}
