package org.jvrpc.verbs.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Who holds a claim in shared memory, as one word that no two living processes of a host share.
 *
 * <pre>
 * bit 0 … 21 number | 22 … 43 when it started, in clock ticks since boot | 44 … 63 PID namespace      (all truncated)
 * </pre>
 * The start tells a process from a later one of the same number. A process of another namespace, which may be in
 * another container, cannot be found dead. Any thread.
 */
public final class ProcessId {

    /** This process; never 0. */
    public static final long SELF;
    /** This process's number, in its namespace: 22 bits, as many as Linux has. */
    public static final int NUMBER;
    /** This process's namespace, 20 bits: the inode's lowest, which Linux counts up. 0 when it cannot be told. */
    public static final int NAMESPACE;

    private static final Path PROC = Path.of("/proc");
    private static final int NUMBER_BITS = 22;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    private static final int NAMESPACE_SHIFT = 44;
    private static final int NAMESPACE_MASK = (1 << 20) - 1;
    /** Fields of {@code /proc/PID/stat} behind the name, which is in brackets and may hold anything. */
    private static final int STATE = 0;
    private static final int START = 19;

    static {
        NUMBER = (int) ProcessHandle.current().pid() & NUMBER_MASK;
        NAMESPACE = namespace();
        SELF = of(NUMBER);
    }

    private ProcessId() {
    }

    /** Returns the inode in {@code pid:[4026531836]}; 0 when there is none, or /proc shows another namespace's. */
    private static int namespace() {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            String self = Files.readSymbolicLink(Path.of("/proc/self")).toString();
            long inode = Long.parseLong(link.replaceAll("[^0-9]", ""));
            return Integer.parseInt(self) == NUMBER ? (int) inode & NAMESPACE_MASK : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Returns the name of a process of this namespace; if it is not there, one that is dead. */
    public static long of(long number) {
        return (long) NAMESPACE << NAMESPACE_SHIFT | (startOf(number) & NUMBER_MASK) << NUMBER_BITS
                | number & NUMBER_MASK;
    }

    private static long startOf(long number) {
        try {
            return Long.parseLong(stat(folder(number))[START]);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Returns the number in a name. */
    public static int number(long id) {
        return (int) id & NUMBER_MASK;
    }

    /** Returns true when a process is known to be dead, also when nobody has waited for it yet. Slow. */
    public static boolean isDead(long id) {
        return id != 0 && id != SELF && id >>> NAMESPACE_SHIFT == NAMESPACE
                && isDead(number(id), id >>> NUMBER_BITS & NUMBER_MASK);
    }

    /** As {@link #isDead(long)}, by the number alone; one that has it now is taken for the one that had it. */
    public static boolean isNumberOfDead(int number) {
        return number != 0 && number != NUMBER && isDead(number, -1);
    }

    private static Path folder(long number) {
        return PROC.resolve(Long.toString(number));
    }

    /** @param start when it started; -1 when that is not known */
    private static boolean isDead(int number, long start) {
        return NAMESPACE != 0 && isDead(folder(number), start); // without a namespace nothing can be told
    }

    /** @param folder of the process in {@code /proc} */
    static boolean isDead(Path folder, long start) {
        try {
            String[] fields = stat(folder);
            long started = Long.parseLong(fields[START]) & NUMBER_MASK;
            return "ZX".contains(fields[STATE]) || start >= 0 && started != start;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException | NumberFormatException e) {
            // It may have ended between opening and reading; else the next look tells.
            return !Files.exists(folder);
        }
    }

    /** Reads {@code pid (name) S …} from the state on. */
    private static String[] stat(Path folder) throws IOException {
        String stat = Files.readString(folder.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        if (fields.length <= START) {
            throw new IOException("unknown format: " + stat);
        }
        return fields;
    }
}
