package org.jvrpc.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** One benchmark of the command line. */
abstract class BenchCommand implements Callable<Integer> {

    @Mixin
    private Options options;

    /** Measures, notes figures and prints tables. */
    abstract void measure(Session session) throws Exception;

    @Override
    public Integer call() throws Exception {
        return new Session(options, System.out).run(List.<Session.Work>of(this::measure));
    }
}
