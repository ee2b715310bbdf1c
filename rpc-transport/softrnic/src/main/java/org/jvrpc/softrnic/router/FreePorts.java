package org.jvrpc.softrnic.router;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;

/** Ports for who listens at port 0, and takes any. */
final class FreePorts {

    /** The first of those that are for that. Source: IANA, RFC 6335, section 6. */
    private static final int FIRST = 49152;
    private static final int LAST = 65535;
    private static final int TRIES = 64;

    private FreePorts() {
    }

    /** Listens at a port where nobody does. @throws VerbsException when many are taken, or for another reason */
    static Listener find(RouterAddress at, Function<RouterAddress, Listener> listen) {
        for (int i = 1;; i++) {
            try {
                return listen.apply(at.withPort(ThreadLocalRandom.current().nextInt(FIRST, LAST + 1)));
            } catch (VerbsException e) {
                boolean taken = e.getCause() instanceof RefusalException refusal && refusal.reason() == Refused.BUSY;
                if (!taken || i == TRIES) {
                    throw e;
                }
            }
        }
    }
}
