package org.jvrpc.watch;

/**
 * Who is to blame.
 *
 * @param strength log-likelihood ratio against a sound component, natural
 * @param share of the observations over it that were lost or late: lower 95 % bound, 0 to 1
 * @param windows in how many windows it was seen in a row
 * @param evidence what people read
 */
public record Verdict(long window, Component who, Cause cause, double strength, double share, long observations,
        int windows, String evidence) { }
