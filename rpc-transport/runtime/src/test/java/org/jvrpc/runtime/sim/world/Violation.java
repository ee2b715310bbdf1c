package org.jvrpc.runtime.sim.world;

/**
 * What must never happen did. The world that it happened in knows it, as who meets it may be a thread of the runtime,
 * which survives whatever its users throw.
 */
public final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        this(message, null);
    }

    public Violation(String message, Throwable cause) {
        super(message, cause);
        World world = World.current();
        if (world != null) {
            world.violated(this);
        }
    }
}
