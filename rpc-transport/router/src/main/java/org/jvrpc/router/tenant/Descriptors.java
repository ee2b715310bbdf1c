package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What this process has open, as {@code /proc/self/fd} shows it: a path below a descriptor's number is looked up from
 * what was opened, whatever has been done to its name since. Any thread.
 */
final class Descriptors {

    private static final Path ALL = Path.of("/proc/self/fd");
    private static final String WANTED = "unix:fileKey,uid,nlink,dev,mode,isRegularFile,isDirectory";

    private Descriptors() {
    }

    /** What the kernel says of a file. */
    record Facts(Object key, int user, int links, long device, int mode, boolean isFile, boolean isFolder) {

        /** Returns the permissions alone. */
        int permissions() {
            return mode & 07777;
        }
    }

    /** Returns what is open now. */
    static Set<String> all() throws IOException {
        String[] names = ALL.toFile().list();
        if (names == null) {
            throw new IOException(ALL + " cannot be read");
        }
        return new TreeSet<>(Arrays.asList(names));
    }

    /**
     * Returns the path of a descriptor that is open now and was not before.
     *
     * @param key of the file that was opened
     * @throws IOException when what was opened since is another file
     */
    static Path since(Set<String> before, Object key) throws IOException {
        for (String name : all()) {
            if (!before.contains(name)) {
                Path path = ALL.resolve(name);
                try {
                    if (Objects.equals(key, at(path).key())) {
                        return path;
                    }
                } catch (NoSuchFileException e) {
                    continue; // another thread's, or that by which the folder was listed: closed since
                }
            }
        }
        throw new IOException("what was opened is not what was there before");
    }

    /** Returns the facts of what a descriptor has open, or of a path of which no link is followed but descriptors. */
    static Facts at(Path path) throws IOException {
        boolean descriptor = ALL.equals(path.getParent());
        Map<String, Object> all = descriptor ? Files.readAttributes(path, WANTED)
                : Files.readAttributes(path, WANTED, LinkOption.NOFOLLOW_LINKS);
        return new Facts(all.get("fileKey"), (Integer) all.get("uid"), (Integer) all.get("nlink"),
                (Long) all.get("dev"), (Integer) all.get("mode"), (Boolean) all.get("isRegularFile"),
                (Boolean) all.get("isDirectory"));
    }

    /** Returns the number of this process's user. */
    static int ownUser() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }
}
