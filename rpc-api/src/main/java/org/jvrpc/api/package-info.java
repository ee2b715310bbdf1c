/**
 * The API that users of jvRPC write against: annotations on an interface, {@link org.jvrpc.api.Status} and
 * {@link org.jvrpc.api.RpcException}, {@link org.jvrpc.api.CallOptions}, {@link org.jvrpc.api.Metadata}, interceptors.
 *
 * <p>Owns no thread, socket or memory and must never know a transport. Times are durations; a field that holds a
 * number of nanoseconds ends in {@code Ns}.
 * Unless a type says otherwise its values are immutable and may be shared by threads.
 */
@NullMarked
package org.jvrpc.api;

import org.jspecify.annotations.NullMarked;
