package org.jvrpc.benchmarks.harness;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes of heap that threads have allocated since they began. Source: com.sun.management.ThreadMXBean. */
final class Allocated {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocated() {
    }

    static long byThisThread() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Returns the sum of all threads but the caller, whose own it is to ask. */
    static long byOtherThreads() {
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            if (id != Thread.currentThread().getId()) {
                sum += Math.max(0, THREADS.getThreadAllocatedBytes(id));
            }
        }
        return sum;
    }
}
