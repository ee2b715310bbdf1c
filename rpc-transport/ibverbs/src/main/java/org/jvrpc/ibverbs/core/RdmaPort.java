package org.jvrpc.ibverbs.core;

/**
 * A port of a device, as it was when looked at.
 *
 * @param number 1 and up
 * @param state {@code ibv_port_state}; 4 is active
 * @param mtu active path MTU, 1 (256 bytes) to 5 (4096)
 * @param lid of InfiniBand, 0 on Ethernet
 * @param ethernet true for RoCE
 * @param gidIndex index of the source GID in the port's table
 * @param gid the source GID
 */
public record RdmaPort(int number, int state, int mtu, int lid, boolean ethernet, int gidIndex, Gid gid) {

    /** Returns the path MTU in bytes. */
    public int mtuBytes() {
        return 128 << mtu;
    }
}
