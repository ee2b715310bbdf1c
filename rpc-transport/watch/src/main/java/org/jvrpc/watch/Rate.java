package org.jvrpc.watch;

/**
 * How a counter grows.
 *
 * @param last what was read last
 * @param perSecond 0 when not known
 * @param reset it began anew between the two readings
 * @param known false at first, when it is refused, and behind a reset
 */
public record Rate(Reading last, double perSecond, boolean reset, boolean known) { }
