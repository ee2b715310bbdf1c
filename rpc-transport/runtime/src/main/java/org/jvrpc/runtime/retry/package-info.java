/**
 * Calls that are made again: by policies, where a server refused them unrun, and before another attempt has ended. A
 * call keeps the bytes of its arguments and copies them to each attempt, which is a call of the channel below, to
 * whichever server that picks. Interceptors stand around all attempts. Must never know how a call reaches its server.
 *
 * <p>Threads: a synchronous call is attempted on its caller's thread, which sleeps between attempts; later attempts of
 * asynchronous calls are begun by threads of the client's own, which end when there are none. {@link
 * org.jvrpc.runtime.retry.RetryPlan} decides, and has no clock, thread or random source.
 */
package org.jvrpc.runtime.retry;
