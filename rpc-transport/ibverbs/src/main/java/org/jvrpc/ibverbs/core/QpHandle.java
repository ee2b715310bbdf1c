package org.jvrpc.ibverbs.core;

/** A QP as the kernel knows it, made by libibverbs or by raw commands. Any thread. */
public interface QpHandle {

    /** Returns its number, 24 bits. */
    int number();

    /** Makes a transition. @throws NativeException when the kernel refuses */
    void modify(QpChange change);

    /** Returns the state that the kernel has it in, {@code Ibv.QPS_…}. @throws NativeException when it cannot tell */
    int queryState();

    /** Destroys it. Idempotent; never throws, also when the device is gone. */
    void destroy();
}
