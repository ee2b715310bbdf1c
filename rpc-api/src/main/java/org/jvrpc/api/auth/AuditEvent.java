package org.jvrpc.api.auth;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.Status;

/**
 * Something that is to be written down. It never has a token; names are as others said them, so that what is printed is
 * {@link #toString}, where they can do no harm.
 *
 * @param kind what happened
 * @param principal who
 * @param session number of the session; 0 where there was none
 * @param host where from; null for this host
 * @param target service or method; null where it was about none
 * @param status what a refusal was told with; OK for others
 * @param reason why; null where there is none to give
 */
public record AuditEvent(
        Kind kind,
        RpcPrincipal principal,
        long session,
        @Nullable InetAddress host,
        @Nullable String target,
        Status status,
        @Nullable String reason) {

    /** The kinds of event. */
    public enum Kind {
        /** A session began. */
        CONNECT,
        /** A service was opened. */
        OPEN,
        /** A call was let through to its handler. */
        CALL,
        /** Somebody was kept from what they asked for. */
        REFUSAL,
        /** A session was ended, as its principal expired, was revoked, or is not admitted any more. */
        EXPULSION,
        /** A session ended. */
        DISCONNECT
    }

    private static final int MAX_TARGET = 200;
    private static final int MAX_REASON = 300;

    /** Returns one line, printable and of bounded length: {@code CALL principal=… session=… host=… target="…"}. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(128).append(kind.name().toLowerCase(Locale.ROOT))
                .append(" principal=\"").append(principal).append("\" session=").append(session)
                .append(" host=").append(host == null ? "local" : host.getHostAddress());
        if (target != null) {
            line.append(" target=\"").append(Printable.of(target, MAX_TARGET)).append('"');
        }
        if (status != Status.OK) {
            line.append(" status=").append(status);
        }
        if (reason != null) {
            line.append(" reason=\"").append(Printable.of(reason, MAX_REASON)).append('"');
        }
        return line.toString();
    }
}
