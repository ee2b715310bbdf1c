package org.jvrpc.runtime.guard;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jvrpc.api.auth.RpcPrincipal;

/**
 * Principals who are welcome no more, until that is taken back: one for each time that somebody is revoked, by whatever
 * predicate. Whom the predicate throws about is one of them. Any thread.
 */
final class Revocation implements AutoCloseable {

    private final Predicate<RpcPrincipal> which;
    private final Consumer<Throwable> failed;
    private final Consumer<Revocation> over;

    /**
     * @param failed told what the user's predicate throws
     * @param over told when it is taken back, each time
     */
    Revocation(Predicate<RpcPrincipal> which, Consumer<Throwable> failed, Consumer<Revocation> over) {
        this.which = which;
        this.failed = failed;
        this.over = over;
    }

    /** Returns why somebody is not welcome, or null. */
    String refusal(RpcPrincipal principal) {
        try {
            return which.test(principal) ? principal + " is revoked" : null;
        } catch (RuntimeException | Error e) {
            failed.accept(e);
            return "server cannot say whether it has revoked " + principal + ": " + e.getClass().getName();
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        over.accept(this);
    }
}
