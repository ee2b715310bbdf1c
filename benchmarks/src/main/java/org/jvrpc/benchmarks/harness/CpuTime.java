package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes and of the machine. Source: proc_pid_stat(5), proc_stat(5). */
public final class CpuTime {

    /** Linux reports in hundredths of a second on every processor that jvRPC runs on (USER_HZ). */
    private static final double TICKS_PER_S = 100;
    /** Fields after the name in parentheses, which may itself contain blanks: utime is the 14th of all. */
    private static final int UTIME = 14 - 3;
    /** Of the machine's line: user, nice, system, irq, softirq; not idle and iowait, and not stolen time. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    private CpuTime() {
    }

    /** Returns the seconds of user and system time of all threads of a process. */
    public static double ofProcess(long pid) throws IOException {
        return parseProcess(Files.readString(Path.of("/proc/" + pid + "/stat")));
    }

    /** Returns the seconds of this process, and of those that it started, waited for, and that have ended. */
    static double ofThisAndEnded() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        return parse(stat, UTIME, 4);
    }

    /** Returns the seconds that all processors together were busy since the machine started. */
    public static double ofMachine() throws IOException {
        return parseMachine(Files.readString(Path.of("/proc/stat")));
    }

    static double parseProcess(String stat) {
        return parse(stat, UTIME, 2);
    }

    /** Adds {@code count} fields: utime, stime, cutime, cstime. */
    private static double parse(String stat, int first, int count) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int i = first; i < first + count; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_S;
    }

    static double parseMachine(String stat) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).split(" +");
        long ticks = 0;
        for (int field : BUSY) {
            ticks += Long.parseLong(fields[field]);
        }
        return ticks / TICKS_PER_S;
    }
}
