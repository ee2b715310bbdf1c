package org.jvrpc.api;

import org.jspecify.annotations.Nullable;

/**
 * Hears how an asynchronous call ended, where a future a call would cost too much: one callback object may serve any
 * number of calls at once, and with the primitive kinds a call allocates nothing. The generated asynchronous twin has
 * each method once more, with a callback behind its parameters.
 *
 * <p>A callback is called once for each call whose stub returned normally; where the stub throws, the call was not made
 * and nothing is called. It runs on a thread that takes answers from the client: one in {@code RpcClient.poll()}, one
 * that waits for a future, or the client's own. Those of one connection run one at a time, unless one of them waits in
 * a call of its own; of calls with options or through interceptors, it may also run before the stub returns. It may
 * make further calls, which leave together where they are short, once the callbacks at hand have run.
 *
 * <p>It must not block, nor enter a monitor that is held by a thread which makes calls of the same client: others wait
 * behind it, and the slots of calls whose callbacks are due are taken until then. An exception that it throws is
 * logged.
 *
 * <p>Where a method is overloaded, the compiler may need the types of a lambda's parameters to tell which is meant.
 *
 * @param <R> the method's result, boxed; {@link Void} for none
 */
@FunctionalInterface
public interface RpcCallback<R> {

    /**
     * The call ended.
     *
     * @param result the result, null for a method without one and after a failure
     * @param failure null, or what the method throws: its declared exception or an {@link RpcException}
     */
    void completed(@Nullable R result, @Nullable Throwable failure);

    /** The same of a method that returns {@code int}. */
    @FunctionalInterface
    interface OfInt {

        /**
         * The call ended.
         *
         * @param result the result, 0 after a failure
         * @param failure null, or what the method throws
         */
        void completed(int result, @Nullable Throwable failure);
    }

    /** The same of a method that returns {@code long}. */
    @FunctionalInterface
    interface OfLong {

        /**
         * The call ended.
         *
         * @param result the result, 0 after a failure
         * @param failure null, or what the method throws
         */
        void completed(long result, @Nullable Throwable failure);
    }

    /** The same of a method that returns {@code double}. */
    @FunctionalInterface
    interface OfDouble {

        /**
         * The call ended.
         *
         * @param result the result, 0 after a failure
         * @param failure null, or what the method throws
         */
        void completed(double result, @Nullable Throwable failure);
    }
}
