package org.jvrpc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives each test class a folder of shared memory of its own: {@code jvrpc.shm.dir} names it while the class runs, here
 * and in its children. So tests meet neither each other, nor other runs, nor the user's services. At the class's end
 * nothing that is alive may be left in it, but by a test that failed. A class that is {@link Alone} has its turn when
 * no other runs. JUnit finds this extension by itself where this module is on the class path.
 */
public final class SharedMemoryFolder implements BeforeAllCallback, TestWatcher {

    /** The system property with the folder. */
    public static final String PROPERTY = "jvrpc.shm.dir";

    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(SharedMemoryFolder.class);
    private static final String ROOTS = "jvrpc-test-";
    private static final Pattern DEVICE = Pattern.compile("d-([0-9]+)-[0-9a-f]+");
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static Path root;
    /** Its lock is held until this JVM ends, in whatever way. */
    private static FileChannel rootLock;

    /** Returns the folder of the test class that runs. */
    public static Path path() {
        String folder = System.getProperty(PROPERTY);
        if (folder == null || !Files.isDirectory(Path.of(folder))) {
            throw new AssertionError("the folder of the test is gone: " + PROPERTY + "=" + folder);
        }
        return Path.of(folder);
    }

    /** Returns an address at which nobody listens. */
    public static String freshAddress() {
        return "shm://" + path().getFileName() + "-" + NAMES.incrementAndGet();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // A nested class finds the folder of the outer one.
        context.getStore(STORE).computeIfAbsent(Folder.class, type -> new Folder(context.getDisplayName(),
                context.getRequiredTestClass().isAnnotationPresent(Alone.class)), Folder.class);
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        context.getParent().orElseThrow().getStore(STORE).get(Folder.class, Folder.class).failed = true;
    }

    /** The folder of one class, closed with it. */
    private static final class Folder implements AutoCloseable {

        private final String before = System.getProperty(PROPERTY);
        private final String owner;
        private final Turn turn;
        private final Path path;
        private volatile boolean failed;

        Folder(String owner, boolean alone) {
            this.owner = owner;
            try {
                turn = new Turn(alone);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            path = makePath();
            System.setProperty(PROPERTY, path.toString());
        }

        /** Returns a new one; where it cannot be made, others have their turn. */
        private Path makePath() {
            try {
                return Files.createDirectory(root().resolve(Integer.toString(NAMES.incrementAndGet())),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (IOException e) {
                try {
                    turn.close();
                } catch (IOException unclosed) {
                    e.addSuppressed(unclosed);
                }
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (before == null) {
                System.clearProperty(PROPERTY);
            } else {
                System.setProperty(PROPERTY, before);
            }
            try {
                awaitNothingLeft(path, owner, failed);
            } finally {
                try {
                    delete(path);
                } finally {
                    turn.close();
                }
            }
        }
    }

    /** What a test that failed left is not waited for: it may have closed nothing. */
    static void awaitNothingLeft(Path folder, String owner, boolean failed) {
        if (!failed) {
            Waits.until("nothing to be left by " + owner, () -> left(folder).isEmpty(), () -> whatIsLeft(folder));
        }
    }

    /**
     * Returns what there is of living processes: folders of devices, and sockets where somebody listens. What a killed
     * process left is no failure of the test, and goes when the next device is opened, so does a folder whose owner has
     * left and whose last user was killed; lock files stay.
     */
    static List<Path> left(Path folder) {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                Matcher device = DEVICE.matcher(entry.getFileName().toString());
                if (device.matches() ? Processes.isRunning(Long.parseLong(device.group(1))) && isUsed(entry)
                        : isServed(entry)) {
                    left.add(entry);
                }
            }
        } catch (NoSuchFileException e) {
            return left;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return left;
    }

    /** Returns what is left, with what is in it and who has its locks; says on standard error what all threads do. */
    private static String whatIsLeft(Path folder) {
        StringBuilder text = new StringBuilder();
        for (Path entry : left(folder)) {
            text.append(entry);
            try (Stream<Path> files = Files.list(entry); Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
                String inode = ":" + Files.getAttribute(entry.resolve("lock"), "unix:ino") + " ";
                text.append(" files=").append(files.map(Path::getFileName).toList())
                        .append(" locks=").append(locks.filter(line -> line.contains(inode)).toList());
            } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
                text.append(' ').append(e);
            }
            text.append("; ");
        }
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            System.err.println(thread);
            for (StackTraceElement element : stack) {
                System.err.println("    " + element);
            }
        });
        return text.toString();
    }

    /**
     * Returns false when the lock file of a device says that nobody has or uses it any more. The kernel is asked: this
     * process would lose its own locks on the file if it opened and closed it. An empty folder is what the last user
     * left that was killed while it deleted a device whose owner had left: it goes when devices are opened later.
     */
    private static boolean isUsed(Path device) {
        try {
            Object inode = Files.getAttribute(device.resolve("lock"), "unix:ino");
            return Files.readString(Path.of("/proc/locks")).contains(":" + inode + " ");
        } catch (IOException | UnsupportedOperationException e) {
            String[] files = device.toFile().list();
            return files != null && files.length > 0;
        }
    }

    private static boolean isServed(Path file) {
        if (!file.toString().endsWith(".sock")) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(file));
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes this JVM's folder, under which those of its classes are; removes those of JVMs that were killed. */
    private static synchronized Path root() throws IOException {
        if (root == null) {
            Path shm = Path.of("/dev/shm");
            String chosen = System.getProperty(PROPERTY);
            Path parent = Path.of(chosen != null ? chosen
                    : Files.isDirectory(shm) ? shm.toString() : System.getProperty("java.io.tmpdir"));
            Files.createDirectories(parent);
            sweep(parent);
            while (rootLock == null) {
                root = Files.createTempDirectory(parent, ROOTS);
                rootLock = lock(root);
                if (rootLock != null && !Files.exists(root.resolve("lock"))) { // swept before it was locked
                    rootLock.close();
                    rootLock = null;
                }
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
        }
        return root;
    }

    /** Returns null when a living process has it. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(folder.resolve("lock"),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() != null) {
            return channel;
        }
        channel.close();
        return null;
    }

    private static void sweep(Path parent) {
        try (DirectoryStream<Path> roots = Files.newDirectoryStream(parent, ROOTS + "*")) {
            for (Path dead : roots) {
                // One without a lock is just being made.
                try (FileChannel held = Files.exists(dead.resolve("lock")) ? lock(dead) : null) {
                    if (held != null) {
                        delete(dead);
                    }
                }
            }
        } catch (IOException e) {
            System.err.println("cannot look for folders of dead test runs in " + parent + ": " + e);
        }
    }

    /** The lock goes last, and stays with what stays: the next sweep finds it. */
    private static void delete(Path folder) {
        Path lock = folder.resolve("lock");
        try (var files = Files.walk(folder)) {
            boolean whole = files.sorted(Comparator.reverseOrder())
                    .filter(file -> !file.equals(folder) && !file.equals(lock))
                    .map(file -> file.toFile().delete()).reduce(true, Boolean::logicalAnd);
            if (whole) {
                Files.deleteIfExists(lock);
                Files.delete(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + folder + ": " + e);
        }
    }
}
