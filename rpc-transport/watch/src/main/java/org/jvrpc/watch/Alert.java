package org.jvrpc.watch;

/**
 * A limit that was passed, or is kept again.
 *
 * @param raised false when it is over
 */
public record Alert(long window, String rule, String subject, double value, double limit, boolean raised) { }
