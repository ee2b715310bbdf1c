/**
 * What threads are made of and wait by, whatever they wait for: how one idles, where it sleeps and is woken, when a
 * call is over, which lines of a log it keeps back. Must never know sessions, links or devices; of the root it knows
 * the idle strategy alone. Internal: public for the module's other rooms. Units: times in nanoseconds.
 */
package org.jvrpc.runtime.thread;
