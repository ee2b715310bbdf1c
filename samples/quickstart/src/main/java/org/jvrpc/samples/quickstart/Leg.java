package org.jvrpc.samples.quickstart;

/**
 * A part of an order that is for more than one instrument.
 *
 * @param instrument the number of the instrument
 * @param ratio how many of it for each one ordered; negative for the other way
 */
public record Leg(long instrument, int ratio) {
}
