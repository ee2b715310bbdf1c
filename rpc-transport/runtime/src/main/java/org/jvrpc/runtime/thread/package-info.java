/**
 * What threads are made of and wait by, whatever they wait for: the clock and the maker of threads that a client or a
 * server is given ({@link org.jvrpc.runtime.thread.Environment}), how one idles, where it sleeps and is woken, whose
 * turn it is to, when a call is over, which lines of a log it keeps back. No other class of the module reads the
 * system's clock or makes a thread. Must never know sessions, links or devices; of the root it knows the idle strategy
 * alone. Internal: public for the module's other rooms. Units: times in nanoseconds.
 */
package org.jvrpc.runtime.thread;
