package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What this process has open, as {@code /proc/self/fd} shows it: a path below a descriptor's number is looked up from
 * what was opened, whatever has been done to its name since. Any thread.
 */
final class Descriptors {

    private static final Path ALL = Path.of("/proc/self/fd");
    private static final String WANTED = "unix:fileKey,uid,nlink,dev,mode,isRegularFile,isDirectory";

    /** How often something is opened anew whose number was not found. */
    static final int TRIES = 10;

    private Descriptors() {
    }

    /** What the kernel says of a file. */
    record Facts(Object key, int user, int links, long device, int mode, boolean isFile, boolean isFolder) {

        /** Returns the permissions alone. */
        int permissions() {
            return mode & 07777;
        }
    }

    /** What was open at a moment. What is opened while this is not closed has a number that nothing had then. */
    static final class Mark implements AutoCloseable {

        private final Set<String> before;
        /** Takes the number by which the folder of all descriptors was listed. */
        private final FileChannel placeholder;

        private Mark() throws IOException {
            before = all();
            placeholder = FileChannel.open(Path.of("/dev/null"));
        }

        /**
         * Returns the path of a descriptor that is open now and was not then; null when there is none: what was opened
         * since is another file, or took a number that another thread has given back.
         *
         * @param key of the file that should have been opened
         */
        Path since(Object key) throws IOException {
            for (String name : all()) {
                if (!before.contains(name) && key.equals(keyOf(ALL.resolve(name)))) {
                    return ALL.resolve(name);
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            placeholder.close();
        }
    }

    static Mark mark() throws IOException {
        return new Mark();
    }

    private static Set<String> all() throws IOException {
        String[] names = ALL.toFile().list();
        if (names == null) {
            throw new IOException(ALL + " cannot be read");
        }
        return new HashSet<>(Arrays.asList(names));
    }

    private static Object keyOf(Path path) throws IOException {
        try {
            return at(path).key();
        } catch (NoSuchFileException e) {
            return null; // another thread's, or that by which the folder was listed: closed since
        }
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
