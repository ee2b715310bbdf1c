/**
 * Which servers a target names, and when to ask anew: addresses that stand in it, names of the DNS, and what a
 * {@link org.jvrpc.runtime.resolve.NameResolverProvider} on the class path makes of it. Must never know connections or
 * calls. Internal: public for the room above. Threads: as each type says. Units: times in nanoseconds.
 */
package org.jvrpc.runtime.channel.lookup;
