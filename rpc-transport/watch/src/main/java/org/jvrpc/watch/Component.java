package org.jvrpc.watch;

/**
 * A part of a fabric that may be to blame.
 *
 * @param name what people read: H3, T0, L1, S2, or T0&gt;L1 for a directed link
 */
public record Component(Kind kind, String name) {

    /** What it is. */
    public enum Kind { AGENT, HOST, TOR, SWITCH, LINK, FABRIC }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
