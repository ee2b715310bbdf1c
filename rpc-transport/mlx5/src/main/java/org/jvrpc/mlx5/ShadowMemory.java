package org.jvrpc.mlx5;

/**
 * Memory that a device cannot reach, behind memory that it can: the driver has what is sent copied to the device's side
 * when it is posted, and what arrived copied from there when its completion is polled. Any thread; allocates nothing.
 */
public interface ShadowMemory {

    /** Returns true when there is none, so that no WQE has to be looked at. */
    boolean isEmpty();

    /** Copies bytes to the device's side, where the key is of such memory. */
    void toDevice(long address, int lkey, long length);

    /** Copies bytes from the device's side, where the key is of such memory and allows it. */
    void fromDevice(long address, int lkey, long length);
}
