package org.jvrpc.benchmarks.harness;

/** One timed call. */
public abstract class Operation {

    /** What precedes each call and is not timed. */
    public void before() throws Exception {
    }

    /** Makes the call and returns when its answer is there. Only this is timed. */
    public abstract void call() throws Exception;

    /** What follows each call and is not timed; checks the answer where that costs something. */
    public void after() throws Exception {
    }
}
