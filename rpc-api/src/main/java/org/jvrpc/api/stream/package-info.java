/**
 * Streams for threads that wait, beside {@link java.util.concurrent.Flow}: readers and writers, with kinds for
 * primitives that box nothing, and what makes the one from the other. An interface says {@code Flow.Publisher<T>}, and
 * each side chooses. Must never know a transport. A reader or writer is one thread's at a time.
 */
@NullMarked
package org.jvrpc.api.stream;

import org.jspecify.annotations.NullMarked;
