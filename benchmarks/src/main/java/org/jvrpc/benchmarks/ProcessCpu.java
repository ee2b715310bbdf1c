package org.jvrpc.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of a process. Source: proc_pid_stat(5). */
final class ProcessCpu {

    /** Linux reports in hundredths of a second on every processor that jvRPC runs on (USER_HZ). */
    private static final double TICKS_PER_S = 100;
    /** Fields after the name in parentheses, which may itself contain blanks: utime is the 14th of all. */
    private static final int UTIME = 14 - 3;

    private ProcessCpu() {
    }

    /** Returns the seconds of user and system time of all threads of a process. */
    static double seconds(long pid) throws IOException {
        return parse(Files.readString(Path.of("/proc/" + pid + "/stat")));
    }

    static double parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) / TICKS_PER_S;
    }
}
