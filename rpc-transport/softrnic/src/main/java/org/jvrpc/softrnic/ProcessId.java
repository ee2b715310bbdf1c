package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Who holds a claim in shared memory: the process's number, and the number of its PID namespace in the upper 32 bits. A
 * process of another namespace, which may be in another container, cannot be found dead. Any thread.
 */
final class ProcessId {

    /** This process; never 0. */
    static final long SELF = namespace() << 32 | ProcessHandle.current().pid();

    private static final long PID_MASK = 0xffffffffL;

    private ProcessId() {
    }

    /** Returns the inode in {@code pid:[4026531836]}, 0 when it cannot be told. */
    private static long namespace() {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return Long.parseLong(link.replaceAll("[^0-9]", ""));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Returns true when a process is known to be dead, also when nobody has waited for it yet. Slow. */
    static boolean isDead(long id) {
        if (id == 0 || id == SELF || id >>> 32 != SELF >>> 32) {
            return false;
        }
        return ProcessHandle.of(id & PID_MASK).isEmpty() || isZombie(id & PID_MASK);
    }

    /** Reads the state in {@code pid (name) S …}. */
    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException | IndexOutOfBoundsException e) {
            return false; // there is no such file here, or not any more: the next look tells
        }
    }
}
