package org.jvrpc.spring.config;

/** Looks for a failure behind others. */
public final class Causes {

    private Causes() {
    }

    /** Returns the first of a type. @throws AssertionError when there is none */
    public static <T extends Throwable> T of(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        throw new AssertionError("no " + type.getName() + " behind " + failure, failure);
    }
}
