package org.jvrpc.softrnic.shm.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The right to listen at a name, while its process lives. One file has the locks of all names, each a byte where no
 * byte is stored: so names leave nothing, and no lock file is deleted from under a process that has just opened it. The
 * process has one descriptor of the file, since to close another would free its locks. Any thread.
 */
public final class NameLock {

    public static final String FILE = "names.lock";

    /** The open files by their folders, and how many locks each has. Guards all. */
    private static final Map<Path, Locks> OPEN = new HashMap<>();

    private final Locks locks;
    private final FileLock lock;

    private static final class Locks {
        private final Path folder;
        private final FileChannel channel;
        private final Object key;
        private int count;

        Locks(Path folder, FileChannel channel, Object key) {
            this.folder = folder;
            this.channel = channel;
            this.key = key;
        }
    }

    private NameLock(Locks locks, FileLock lock) {
        this.locks = locks;
        this.lock = lock;
    }

    /** Takes the lock of a name, or returns null when a living process has it, this one included. */
    public static NameLock take(Path folder, String name) throws IOException {
        synchronized (OPEN) {
            Locks locks = OPEN.get(folder);
            if (locks == null || !locks.key.equals(key(folder))) {
                FileChannel channel = ShmDirectory.openLocks(folder);
                locks = new Locks(folder, channel, key(folder));
                OPEN.put(folder, locks); // one of a folder that was deleted is closed by its last lock
            }
            locks.count++;
            FileLock lock = null;
            try {
                lock = locks.channel.tryLock(place(name), 1, false);
            } catch (OverlappingFileLockException e) {
                return null;
            } finally {
                if (lock == null) {
                    leave(locks);
                }
            }
            return lock == null ? null : new NameLock(locks, lock);
        }
    }

    /** Returns which file it is; another once the folder was deleted and made again. */
    private static Object key(Path folder) {
        try {
            return Files.getAttribute(folder.resolve(FILE), "unix:ino");
        } catch (IOException e) {
            return "none";
        }
    }

    /** Two names share a place once in 2^62 pairs; then the second is told that it is in use. */
    private static long place(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        CRC32 low = new CRC32();
        low.update(bytes);
        long hash = 0;
        for (byte b : bytes) {
            hash = 31 * hash + b;
        }
        return (hash * 0x9e3779b97f4a7c15L ^ low.getValue()) >>> 2;
    }

    /** Gives the name free. Idempotent. */
    public void release() throws IOException {
        synchronized (OPEN) {
            if (lock.isValid()) {
                lock.release();
                leave(locks);
            }
        }
    }

    private static void leave(Locks locks) throws IOException {
        if (--locks.count == 0) {
            OPEN.remove(locks.folder, locks);
            locks.channel.close();
        }
    }
}
