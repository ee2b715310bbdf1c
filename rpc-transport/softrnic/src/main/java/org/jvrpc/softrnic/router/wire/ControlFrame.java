package org.jvrpc.softrnic.router.wire;

/** Bounds of the frames on a tenant's socket. */
public final class ControlFrame {

    /** Of the protocol between a tenant's device and its router. */
    public static final int VERSION = 1;
    /** Bytes of what stands before a body. */
    public static final int HEADER = 16;
    /** The most bytes of a body. */
    public static final int MAX_BODY = 4096;

    private ControlFrame() {
    }
}
