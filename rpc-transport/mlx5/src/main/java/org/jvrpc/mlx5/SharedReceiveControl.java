package org.jvrpc.mlx5;

/** The device's side of an SRQ. */
@FunctionalInterface
public interface SharedReceiveControl {

    /** Destroys the SRQ, which no QP uses. */
    void close();
}
