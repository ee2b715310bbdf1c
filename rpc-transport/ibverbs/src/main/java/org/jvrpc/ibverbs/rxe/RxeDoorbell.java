package org.jvrpc.ibverbs.rxe;

/** Tells the device that the send ring has more WQEs. The thread that posts. */
@FunctionalInterface
interface RxeDoorbell {

    /** Rings. @return false when the kernel refused */
    boolean ring();
}
