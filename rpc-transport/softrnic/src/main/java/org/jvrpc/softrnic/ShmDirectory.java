package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder where devices of one user meet.
 *
 * <pre>
 * d-PID-RANDOM/        a device: lock (held while it lives), 0, 1, … its slabs
 * NAME.sock NAME.lock  a listener's socket, and the lock that its process holds while it lives
 * </pre>
 * {@code NAME.lock} is empty and never deleted: who deletes a lock file may take it from under a process that has just
 * opened it, and two would hold the name. So there is one such file for each name that ever was.
 * <p>
 * A lock that can be had tells that its owner is dead, in whatever way it died. Locks of POSIX are lost when their
 * process closes any descriptor of the file, so this process never opens lock files of its own a second time.
 */
final class ShmDirectory {

    /** Overrides the folder; for tests, and for hosts whose /dev/shm is too small. */
    static final String PROPERTY = "jvrpc.shm.dir";

    private static final Logger LOG = LoggerFactory.getLogger(ShmDirectory.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Pattern DEVICE = Pattern.compile("d-([0-9]+)-[0-9a-f]{1,16}");
    private static final String LOCK = "lock";

    private ShmDirectory() {
    }

    /** Returns the folder, made with mode 0700 when it is not there. */
    static Path open() {
        String chosen = System.getProperty(PROPERTY);
        Path shm = Path.of("/dev/shm");
        Path parent = Files.isDirectory(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
        Path folder = chosen == null ? parent.resolve("jvrpc-" + System.getProperty("user.name")) : Path.of(chosen);
        try {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            if (!Files.getPosixFilePermissions(folder).equals(OWNER_ONLY)) {
                throw new VerbsException("open_device", "folder=" + folder + " must have mode 0700, has "
                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
            }
            return folder;
        } catch (IOException e) {
            throw new VerbsException("open_device", "folder=" + folder + " cannot be made: " + e, e);
        }
    }

    /**
     * Makes a device's folder and takes its lock. The lock file gets its name when it is locked: before, another
     * process that sweeps would find it free, and the device dead.
     */
    static FileChannel createDevice(Path device) throws IOException {
        Files.createDirectory(device, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Path unnamed = device.resolve(LOCK + ".new");
        FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new IOException("cannot lock " + unnamed);
            }
            Files.move(unnamed, device.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns true for a name that {@link #createDevice} could have been given. */
    static boolean isDeviceName(String name) {
        return DEVICE.matcher(name).matches();
    }

    /** Removes what dead processes left. */
    static void sweep(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "d-*")) {
            for (Path entry : entries) {
                sweepDevice(entry);
            }
        } catch (IOException e) {
            LOG.warn("cannot look for stale devices in {}: {}", folder, e.toString());
        }
    }

    /** Removes a device's folder when its process is dead; returns true when it is gone. */
    static boolean sweepDevice(Path device) {
        var matcher = DEVICE.matcher(device.getFileName().toString());
        if (!matcher.matches() || matcher.group(1).equals(Long.toString(ProcessHandle.current().pid()))) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(device.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            LOG.info("removing {} of a dead process", device);
            delete(device);
            return true;
        } catch (NoSuchFileException e) {
            return sweepUnlocked(device);
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this process is at it
        } catch (IOException e) {
            LOG.debug("cannot sweep {}: {}", device, e.toString());
            return false;
        }
    }

    /** A folder without a lock is one that is just being made or deleted, or whose maker died in that moment. */
    private static boolean sweepUnlocked(Path device) {
        try {
            long ageMs = System.currentTimeMillis() - Files.getLastModifiedTime(device).toMillis();
            if (ageMs > 60_000) {
                delete(device);
            }
            return ageMs > 60_000;
        } catch (IOException e) {
            return !Files.exists(device);
        }
    }

    /** Deletes a device's folder, the lock last. */
    static void delete(Path device) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(device)) {
            for (Path file : files) {
                if (!file.getFileName().toString().equals(LOCK)) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(device.resolve(LOCK));
            Files.deleteIfExists(device);
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone already", device);
        } catch (IOException e) {
            LOG.warn("cannot delete {}: {}", device, e.toString());
        }
    }

    /** Takes the lock of a listener's name, or returns null when a living process has it. */
    static FileChannel lockName(Path folder, String name) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            return null; // ours already; closing the descriptor would free the lock
        }
        channel.close();
        return null;
    }
}
