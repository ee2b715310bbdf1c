/**
 * Proof that a device works, on the device itself: what verbs, connections, waiting and programs do, with data checked,
 * and how long a message takes. Owns the steps; must never know what device it is: all goes by the interfaces of
 * {@link org.jvrpc.verbs}. Every wait is bounded. One thread, but for the other half of a ping-pong. Times are
 * nanoseconds.
 */
package org.jvrpc.tools.selftest;
