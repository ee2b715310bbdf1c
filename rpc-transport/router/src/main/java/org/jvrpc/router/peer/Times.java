package org.jvrpc.router.peer;

/**
 * Bounds of time of links, in nanoseconds.
 *
 * @param handShake for who connects to say who it is
 * @param ping after so long a silence a link says that it is there
 * @param silence after so long a silence of the other side it is taken for lost
 */
record Times(long handShake, long ping, long silence) {

    static final Times USUAL = new Times(5_000_000_000L, 1_000_000_000L, 10_000_000_000L);
}
