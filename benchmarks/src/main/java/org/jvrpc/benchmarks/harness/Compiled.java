package org.jvrpc.benchmarks.harness;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** How long the compilers of this JVM have worked. */
final class Compiled {

    private Compiled() {
    }

    /** Returns milliseconds of all compiler threads together; 0 where the JVM does not tell. */
    static long ms() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? 0
                : compilers.getTotalCompilationTime();
    }
}
