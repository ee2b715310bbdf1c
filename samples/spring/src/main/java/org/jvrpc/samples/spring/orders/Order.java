package org.jvrpc.samples.spring.orders;

/**
 * So many pieces of something.
 *
 * @param what is ordered
 * @param pieces at least one
 */
public record Order(String what, int pieces) {
}
