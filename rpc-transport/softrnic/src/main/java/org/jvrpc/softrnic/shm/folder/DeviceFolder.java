package org.jvrpc.softrnic.shm.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's folder as this process has it, own or a peer's: who lives is told by locks of its file {@code lock}, which
 * the kernel takes back in whatever way a process ends, and which tell containers apart that share the folder.
 *
 * <pre>
 * byte 0: exclusively the owner's | byte 1: shared by all other processes that have slabs mapped
 * </pre>
 * The last process to leave returns the memory: it truncates the slabs, since a mapping in Java ends only with the
 * garbage collector, and nobody is left who could touch the pages. Locks of POSIX are lost when their process closes
 * any descriptor of the file: so there is one object, and one descriptor, for each folder in a process. Any thread.
 */
public final class DeviceFolder {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceFolder.class);
    static final String LOCK = "lock";
    private static final long OWNER = 0;
    private static final long USERS = 1;
    /** How long a folder without a lock file may be one that is just being made. */
    private static final long MAKING_MS = 60_000;
    /** Folders that this process holds a descriptor of. Guards their state, too. */
    private static final Map<Path, DeviceFolder> OPEN = new HashMap<>();
    /**
     * Other processes' folders that were found in use, and those of this process's devices that it left to their users.
     * Guarded by OPEN.
     */
    private static final Set<Path> OTHERS = new HashSet<>();
    /** A look at each of more takes longer than to list the parent. */
    private static final int MAX_OTHERS = 8;

    private final Path path;
    private final FileChannel channel;
    private FileLock ownerLock;
    private FileLock userLock;
    private int users;
    private boolean leaving;
    /** Of a device of this process; null for a peer's. */
    private Arena own;
    /** A peer's slabs, by segment. */
    private volatile Slab[] mapped = new Slab[4];

    private DeviceFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Makes a device's folder and takes its lock. The lock file gets its name when it is locked: before, another
     * process that sweeps would find it free, and the device dead.
     */
    static DeviceFolder create(Path path, Place place) throws IOException {
        Files.createDirectory(path, place == null ? ShmDirectory.OWNER_ONLY : Place.FOLDER);
        Path unnamed = path.resolve(LOCK + ".new");
        FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            DeviceFolder folder = new DeviceFolder(path, channel);
            folder.ownerLock = channel.tryLock(OWNER, 1, false);
            if (folder.ownerLock == null) {
                throw new IOException("cannot lock " + unnamed);
            }
            synchronized (OPEN) {
                OPEN.put(path, folder);
            }
            Files.move(unnamed, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
            return folder;
        } catch (IOException e) {
            synchronized (OPEN) {
                OPEN.remove(path);
            }
            channel.close();
            throw e;
        }
    }

    private static FileChannel openLock(Path path) throws IOException {
        return FileChannel.open(path.resolve(LOCK), StandardOpenOption.READ, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Begins to use a device's memory; {@link #release} ends it.
     *
     * @throws VerbsException when the folder is gone or going
     */
    public static DeviceFolder use(String operation, Path path) {
        synchronized (OPEN) {
            DeviceFolder folder = OPEN.get(path);
            if (folder == null) {
                folder = openPeer(operation, path);
                OPEN.put(path, folder);
            }
            if (folder.leaving) {
                throw new VerbsException(operation, "the device is gone, its memory is being returned: folder=" + path);
            }
            folder.users++;
            return folder;
        }
    }

    private static DeviceFolder openPeer(String operation, Path path) {
        FileChannel channel = null;
        try {
            channel = openLock(path);
            DeviceFolder folder = new DeviceFolder(path, channel);
            folder.userLock = channel.tryLock(USERS, 1, true);
            if (folder.userLock == null) {
                throw new IOException("another process removes it");
            }
            return folder;
        } catch (NoSuchFileException e) {
            throw new VerbsException(operation, "the device is gone: no device folder=" + path, e);
        } catch (IOException | OverlappingFileLockException e) {
            closeQuietly(channel);
            throw new VerbsException(operation, "the device is gone or cannot be reached: folder=" + path + ": " + e,
                    e);
        }
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.warn("cannot close a lock file: {}", e.toString());
        }
    }

    public Path path() {
        return path;
    }

    /** Returns true while the folder and its lock have their names. */
    boolean exists() {
        return Files.exists(path.resolve(LOCK), LinkOption.NOFOLLOW_LINKS);
    }

    /** Has users of this process find slabs in the owner's arena, which is in this process, too. */
    void own(Arena arena) {
        own = arena;
    }

    /**
     * Returns the slab that holds {@code bytes} from an address on, or null. A peer's slab is mapped when first asked
     * for.
     */
    public Slab find(long address, long bytes) {
        Arena arena = own;
        if (arena != null) {
            return arena.find(address, bytes);
        }
        int segment = Slab.segmentOf(address);
        Slab[] known = mapped;
        Slab slab = segment >= 0 && segment < known.length ? known[segment] : null;
        if (slab == null) {
            slab = map(segment);
        }
        return slab != null && slab.contains(address, bytes) ? slab : null;
    }

    private synchronized Slab map(int segment) {
        Slab[] known = mapped;
        if (segment >= 0 && segment < known.length && known[segment] != null) {
            return known[segment];
        }
        if (segment < 0 || segment >= Slab.MAX_SEGMENTS) {
            return null;
        }
        Path file = path.resolve(Integer.toString(segment));
        try {
            Slab slab = Slab.open(file, segment);
            if (segment == 0) {
                ArenaHeader.check(slab, path);
            }
            Slab[] copy = forgetDeleted(Math.max(known.length, segment + 1));
            copy[segment] = slab;
            mapped = copy;
            return slab;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | OutOfMemoryError e) {
            LOG.warn("cannot map {}: {}", file, e.toString());
            return null;
        }
    }

    /** Lets go of slabs that the owner deleted, before another is mapped. */
    private Slab[] forgetDeleted(int length) {
        Slab[] copy = Arrays.copyOf(mapped, length);
        for (int segment = 0; segment < copy.length; segment++) {
            if (copy[segment] != null && !Files.exists(path.resolve(Integer.toString(segment)))) {
                copy[segment] = null;
            }
        }
        return copy;
    }

    /** Ends one use. */
    public void release() {
        synchronized (OPEN) {
            if (--users > 0 || ownerLock != null || !leave()) {
                return;
            }
        }
        returnMemory();
    }

    /** The owner leaves. The memory is returned by the last user, in this process or another. */
    public void disown() {
        synchronized (OPEN) {
            if (ownerLock == null) {
                return;
            }
            try {
                if (users > 0) {
                    userLock = channel.tryLock(USERS, 1, true); // nobody else can have it, the owner lives
                }
                ownerLock.release();
            } catch (IOException e) {
                LOG.warn("cannot release the lock of {}: {}", path, e.toString());
            }
            ownerLock = null;
            if (users > 0 || !leave()) {
                return;
            }
        }
        returnMemory();
    }

    /** This process leaves; returns true when it is the last, and has the lock that keeps others away. */
    private boolean leave() {
        try {
            if (userLock != null) {
                userLock.release();
            }
            leaving = channel.tryLock(OWNER, 2, false) != null;
        } catch (IOException | OverlappingFileLockException e) { // a router in this process may look at it just now
            LOG.warn("cannot leave {}: {}", path, e.toString());
        }
        if (!leaving) {
            forget();
            if (own != null) {
                forgetGone(path.getParent());
                know(path);
            }
        }
        return leaving;
    }

    /** Where there are too many, the parent is listed, as the number is never right then. */
    private static void know(Path path) {
        if (OTHERS.size() < MAX_OTHERS) {
            OTHERS.add(path);
        }
    }

    /** Knows no others any more that are gone, or in another parent. */
    static void forgetGone(Path parent) {
        synchronized (OPEN) {
            OTHERS.removeIf(other -> !parent.equals(other.getParent()) || !Files.exists(other));
        }
    }

    /** As {@link #sweep}; one that is not gone is known from now on. Returns true for another process's that lives. */
    static boolean sweepAndKnow(Path path) {
        synchronized (OPEN) {
            if (OPEN.containsKey(path) || sweep(path)) {
                return false;
            }
            know(path);
            return true;
        }
    }

    /**
     * Returns true when a parent has no more folders than those that are known to be no dead process's: those that this
     * process uses, and the others that it knows of, once those of dead processes are removed. These are looked at only
     * where the number is right.
     */
    static boolean knowsAll(Path parent, int folders) {
        synchronized (OPEN) {
            if (count(parent, false) != folders && count(parent, true) != folders) {
                return false;
            }
            boolean alive = true;
            for (Path path : List.copyOf(OTHERS)) {
                if (parent.equals(path.getParent()) && (!Files.exists(path) || sweep(path))) {
                    OTHERS.remove(path);
                    alive = false; // another may be in the place of what was gone when the links were counted
                }
            }
            return alive;
        }
    }

    /** A look at each takes the longer the more there are, and they are seldom gone: then somebody deleted them. */
    private static int count(Path parent, boolean looks) {
        OTHERS.removeAll(OPEN.keySet());
        int count = 0;
        for (Path path : OPEN.keySet()) {
            count += parent.equals(path.getParent()) && (!looks || Files.exists(path)) ? 1 : 0;
        }
        return count + (int) OTHERS.stream().filter(path -> parent.equals(path.getParent())).count();
    }

    private void forget() {
        OPEN.remove(path, this);
        closeQuietly(channel);
    }

    private void returnMemory() {
        ShmDirectory.delete(path);
        synchronized (OPEN) {
            forget();
        }
    }

    /** Returns false when a slab that this process has mapped is shorter now. */
    public static boolean isWhole(Path path) {
        DeviceFolder folder;
        synchronized (OPEN) {
            folder = OPEN.get(path);
        }
        return folder == null || folder.isWhole();
    }

    private boolean isWhole() {
        Slab[] known = mapped;
        for (int segment = 0; segment < known.length; segment++) {
            try {
                if (known[segment] != null
                        && Files.size(path.resolve(Integer.toString(segment))) < known[segment].length()) {
                    return false;
                }
            } catch (IOException e) {
                LOG.debug("slab {} of {} is deleted", segment, path);
            }
        }
        return true;
    }

    /** Returns true when the owner of a folder is dead or has left. */
    public static boolean isDead(Path path) {
        synchronized (OPEN) {
            DeviceFolder folder = OPEN.get(path);
            if (folder != null) {
                return folder.ownerLock == null && canLock(folder.channel, 1);
            }
            try (FileChannel channel = openLock(path)) {
                return canLock(channel, 1);
            } catch (NoSuchFileException e) {
                return !isBeingMade(path);
            } catch (IOException e) {
                LOG.debug("cannot look at {}: {}", path, e.toString());
                return false;
            }
        }
    }

    private static boolean canLock(FileChannel channel, long bytes) {
        try (FileLock lock = channel.tryLock(OWNER, bytes, false)) {
            return lock != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    /** Removes a folder whose owner is dead and that nobody uses; returns true when it is gone. */
    static boolean sweep(Path path) {
        synchronized (OPEN) {
            if (OPEN.containsKey(path)) {
                return false;
            }
            try (FileChannel channel = openLock(path);
                    FileLock lock = channel.tryLock(OWNER, 2, false)) {
                if (lock == null) {
                    return false;
                }
                Rare.reached("the folder of a dead process is removed");
                LOG.info("removing {} of a dead process", path);
                ShmDirectory.delete(path);
                return true;
            } catch (NoSuchFileException e) {
                return sweepUnlocked(path);
            } catch (OverlappingFileLockException e) {
                return false; // somebody else in this process is at it
            } catch (IOException e) {
                LOG.debug("cannot sweep {}: {}", path, e.toString());
                return false;
            }
        }
    }

    private static boolean isBeingMade(Path path) {
        try {
            return System.currentTimeMillis() - Files.getLastModifiedTime(path).toMillis() <= MAKING_MS;
        } catch (IOException e) {
            return false;
        }
    }

    /** A folder without a lock is one that is just being made or deleted, or whose maker died in that moment. */
    private static boolean sweepUnlocked(Path path) {
        if (isBeingMade(path)) {
            return false;
        }
        ShmDirectory.delete(path);
        return !Files.exists(path);
    }

    /** Deletes a folder, the lock last. Whoever calls knows that nobody uses the slabs: their memory is returned. */
    static void deleteFiles(Path path) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (!file.getFileName().toString().equals(LOCK)) {
                    Slab.remove(file, true);
                }
            }
        }
        Files.deleteIfExists(path.resolve(LOCK));
        Files.deleteIfExists(path);
    }
}
