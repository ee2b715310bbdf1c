package org.jvrpc.offload.hull;

/**
 * A client of a lookup in a hull.
 *
 * @param number to cut it off by
 * @param name of the lookup
 * @param executed how many WQEs its program has executed
 */
public record HostedLookup(long number, String name, long executed) {
}
