package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the processes of a contender are kept apart by: users, or name spaces. The driver asks, its children do not. */
public interface Walls {

    /** Names of the processes. */
    String SERVER = "server";
    String CLIENT = "client";
    String THIRD = "third";

    /** Makes ready what they need, before the first of them is started. @param folder the contender's own */
    void prepare(Path folder) throws IOException;

    /** Returns what to put before the command of a process. @param end one of the names above */
    List<String> prefix(String end, Path folder);

    /** Returns a class path that they can read. @param common the driver's */
    default String classPath(String common, Path folder) throws IOException {
        return common;
    }
}
