package org.jvrpc.offload;

import java.util.function.Supplier;

/** Has managed queues of domains that get their chains meanwhile fetch a WQE when an ENABLE allows it. */
public final class Prefetching {

    private static final String PROPERTY = "jvrpc.softrnic.prefetchManaged";

    private Prefetching() {
    }

    public static void begin() {
        System.setProperty(PROPERTY, "true");
    }

    public static void end() {
        System.clearProperty(PROPERTY);
    }

    public static <T> T call(Supplier<T> body) {
        begin();
        try {
            return body.get();
        } finally {
            end();
        }
    }
}
