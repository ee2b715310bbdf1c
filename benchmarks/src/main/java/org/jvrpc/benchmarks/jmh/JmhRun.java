package org.jvrpc.benchmarks.jmh;

import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs JMH benchmarks in a fork with this JVM's class path. */
public final class JmhRun {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private JmhRun() {
    }

    /** Runs all benchmarks of a class; half of the iterations, at least one, are warm-up. */
    public static Collection<RunResult> run(Class<?> benchmarks, int iterations, long iterationMs)
            throws RunnerException {
        // Its lock is one for the machine and would make a run fail because somebody else measures something.
        System.setProperty("jmh.ignoreLock", "true");
        return new Runner(new OptionsBuilder()
                .include("^" + benchmarks.getName().replace(".", "\\.") + "\\.")
                .forks(1)
                .warmupIterations(Math.max(1, iterations / 2))
                .warmupTime(TimeValue.milliseconds(iterationMs))
                .measurementIterations(Math.max(1, iterations - iterations / 2))
                .measurementTime(TimeValue.milliseconds(iterationMs))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build()).run();
    }

    /** Returns the name of the benchmark method. */
    public static String method(RunResult result) {
        String name = result.getParams().getBenchmark();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Returns nanoseconds an operation. */
    public static double ns(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    /** Returns bytes allocated an operation. */
    public static double allocatedBytes(RunResult result) {
        for (String label : result.getSecondaryResults().keySet()) {
            if (label.endsWith(ALLOCATED)) {
                return result.getSecondaryResults().get(label).getScore();
            }
        }
        throw new IllegalStateException("JMH gave no " + ALLOCATED);
    }
}
