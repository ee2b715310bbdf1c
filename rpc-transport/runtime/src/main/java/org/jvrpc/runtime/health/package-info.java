/**
 * Whether servers can serve: what one says of itself, {@link org.jvrpc.runtime.health.HealthTable}, and how a client of
 * several asks each and keeps the answer, {@link org.jvrpc.runtime.health.Checkup}. Must never know how servers are
 * chosen. Internal: public for the module's other rooms. Threads: as each type says. Units: times in nanoseconds.
 */
package org.jvrpc.runtime.health;
