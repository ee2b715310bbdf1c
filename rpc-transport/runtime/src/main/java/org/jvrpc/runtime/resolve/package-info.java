/**
 * Where the servers of a name are, and where servers tell that they are there: the interfaces that discovery plugs
 * into, found as a {@link java.util.ServiceLoader} has it by the scheme of a target. This package has what plugs in, no
 * more; it must never know calls, sessions or transports. What a resolver says is checked like anything that came from
 * outside: it may say where servers are, and can turn no check of theirs off.
 *
 * <p>Threads: any, unless said otherwise. Units: times in nanoseconds or {@link java.time.Duration}.
 */
@NullMarked
package org.jvrpc.runtime.resolve;

import org.jspecify.annotations.NullMarked;
