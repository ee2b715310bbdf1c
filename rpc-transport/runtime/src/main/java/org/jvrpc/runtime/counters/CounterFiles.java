package org.jvrpc.runtime.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.verbs.host.ProcessId;

/**
 * The folder of a user's files of counters: {@code /dev/shm/jvrpc-counters-USER}, below the folder of temporary files
 * where there is no such place, or where {@code -Djvrpc.counters.dir} says. A file's name tells whose it is, so that
 * those of dead processes are told and removed whatever is in them. Any thread.
 */
public final class CounterFiles {

    /** Overrides the folder. */
    public static final String FOLDER_PROPERTY = "jvrpc.counters.dir";

    private static final Pattern NAME = Pattern.compile("c-([0-9]{1,10})-([0-9a-f]{16})");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]*");

    private CounterFiles() {
    }

    /** Returns the folder's path; the folder need not be there. */
    public static Path folder() {
        String chosen = System.getProperty(FOLDER_PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        String user = System.getProperty("user.name");
        return parent.resolve("jvrpc-counters-" + (user != null && USER.matcher(user).matches() ? user : "unnamed"));
    }

    /** Makes a folder with mode 0700 where it is not there. @throws IOException also where it is another user's */
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")))) {
                throw new IOException(folder + " is no folder of this user's", e);
            }
        }
    }

    /** Returns the name of a process's file. @param process {@link ProcessId}'s word */
    public static String nameOf(long process) {
        return String.format("c-%d-%016x", ProcessId.number(process), process);
    }

    /** Returns the process that a file's name tells; 0 for the name of another file. */
    public static long processOf(Path file) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Long.parseUnsignedLong(name.group(2), 16) : 0;
    }

    /** Returns the files of a folder, by name; none where it is not there. @throws IOException if it cannot be read */
    public static List<Path> list(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, file -> processOf(file) != 0)) {
            all.forEach(files::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        files.sort(null);
        return files;
    }

    /**
     * Removes files of processes that are known to be dead. One of a process in another PID namespace stays.
     *
     * @param most how many files are looked at
     * @return how many were removed
     */
    public static int sweep(Path folder, int most) throws IOException {
        int removed = 0;
        for (Path file : list(folder).stream().limit(most).toList()) {
            if (isOfDead(file) && Files.deleteIfExists(file)) {
                removed++;
            }
        }
        return removed;
    }

    /** Returns true where the process is known to be dead that a file's name tells. */
    public static boolean isOfDead(Path file) {
        return ProcessId.isDead(processOf(file));
    }
}
