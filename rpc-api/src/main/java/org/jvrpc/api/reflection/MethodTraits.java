package org.jvrpc.api.reflection;

import java.time.Duration;

/**
 * Traits of a method that its signature does not show.
 *
 * @param heavy true when it runs on the server's executor
 * @param idempotent true when a call that may have run may be made again
 * @param offload true when a program may answer it, see {@link org.jvrpc.api.Offload}
 * @param deadline that its interface names; zero for the client's default
 */
public record MethodTraits(boolean heavy, boolean idempotent, boolean offload, Duration deadline) {
}
