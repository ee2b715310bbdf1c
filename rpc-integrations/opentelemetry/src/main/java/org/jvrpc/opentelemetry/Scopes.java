package org.jvrpc.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/** Makes contexts current, whatever their storage throws. Stateless; a scope is left by the thread that entered it. */
final class Scopes {

    private Scopes() {
    }

    /** Returns what ends it; null where there is no context or the storage threw. */
    static Scope enter(Context context, String where) {
        try {
            return context == null ? null : context.makeCurrent();
        } catch (Throwable t) {
            Trouble.log(where, t);
            return null;
        }
    }

    static void leave(Scope scope, String where) {
        try {
            if (scope != null) {
                scope.close();
            }
        } catch (Throwable t) {
            Trouble.log(where, t);
        }
    }
}
