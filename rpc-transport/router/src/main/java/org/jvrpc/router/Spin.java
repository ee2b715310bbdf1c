package org.jvrpc.router;

/** How a router's worker waits for tenants that are busy. */
public enum Spin {

    /** Never gives its processor away. */
    ALWAYS,
    /** Looks at busy tenants' submit rings by itself, but lets others have the processor; sleeps without any. */
    ADAPTIVE,
    /** Sleeps; each tenant rings by its socket. */
    NEVER
}
