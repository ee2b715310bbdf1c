package org.jvrpc.runtime.service;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;

/** The interceptors of a server's calls, the outermost first. Immutable; many threads. */
public final class ServerInterceptors {

    /** What {@link #of} returns where no interceptor stands around a call. */
    public static final ServerInterceptor[] NOBODY = {};

    private final ServerInterceptor[] all;

    public ServerInterceptors(List<ServerInterceptor> all) {
        this.all = all.toArray(NOBODY);
    }

    /** Returns those that stand around a call, not to be changed; allocates nothing where that is all or none. */
    public ServerInterceptor[] of(ServerContext call) {
        int count = 0;
        List<ServerInterceptor> some = null;
        for (int i = 0; i < all.length; i++) {
            boolean wanted = all[i].intercepts(call);
            if (some == null && i > 0 && count > 0 != wanted) { // the first that differs from those before it
                some = new ArrayList<>(List.of(all).subList(0, count));
            }
            if (wanted) {
                count++;
                if (some != null) {
                    some.add(all[i]);
                }
            }
        }
        if (count == 0) {
            return NOBODY;
        }
        return some == null ? all : some.toArray(NOBODY);
    }

    /** Runs the handler of a call through them; says how it ended, unless that is left to a stage or a stream. */
    public static void run(ServerInterceptor[] around, ServiceTable.Method method, HandledCall call) throws Throwable {
        try {
            new ServerChain(around, 0, method, call).proceed();
        } catch (Throwable t) {
            call.returned(t);
            throw t;
        }
        call.returned(null);
    }
}
