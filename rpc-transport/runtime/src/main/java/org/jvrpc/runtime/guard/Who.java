package org.jvrpc.runtime.guard;

import java.net.InetAddress;
import java.util.function.Supplier;
import org.jvrpc.api.auth.RpcPrincipal;

/** Who is at the other end of a link, which is looked for when somebody asks for the first time. Any thread. */
public final class Who {

    private final Supplier<InetAddress> host;
    private final Supplier<RpcPrincipal> source;
    private volatile RpcPrincipal known;

    private Who(Supplier<InetAddress> host, Supplier<RpcPrincipal> source, RpcPrincipal known) {
        this.host = host;
        this.source = source;
        this.known = known;
    }

    /** Returns one who is known. */
    public static Who of(RpcPrincipal principal) {
        return new Who(principal::host, null, principal);
    }

    /**
     * Returns one who is found later.
     *
     * @param host where from; null for this host
     * @param source returns null where it cannot be told
     */
    public static Who later(Supplier<InetAddress> host, Supplier<RpcPrincipal> source) {
        return new Who(host, source, null);
    }

    public RpcPrincipal principal() {
        RpcPrincipal now = known;
        if (now == null) {
            RpcPrincipal found = source.get();
            now = found == null ? RpcPrincipal.anonymous(host.get()) : found;
            known = now;
        }
        return now;
    }

    /** Returns the host; null for this one. */
    public InetAddress host() {
        return host.get();
    }

    /** Returns true for those of whom it is known that they expire. */
    boolean expires() {
        RpcPrincipal now = known;
        return now != null && now.expiresAt() != null;
    }
}
