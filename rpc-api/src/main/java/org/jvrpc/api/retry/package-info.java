/**
 * Which calls a client makes again, and when: named and meant as gRPC's service config has them. Immutable values; know
 * nothing of how calls are made. Times are {@link java.time.Duration}s.
 */
@NullMarked
package org.jvrpc.api.retry;

import org.jspecify.annotations.NullMarked;
