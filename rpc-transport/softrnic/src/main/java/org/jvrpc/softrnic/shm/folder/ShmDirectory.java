package org.jvrpc.softrnic.shm.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder where devices of one user meet.
 *
 * <pre>
 * d-PID-RANDOM/   a device, see DeviceFolder
 * NAME.sock       a listener's socket
 * names.lock      the locks of listeners' names, see NameLock
 * </pre>
 */
public final class ShmDirectory {

    /** Overrides the folder; for tests, and for hosts whose /dev/shm is too small. */
    public static final String PROPERTY = "jvrpc.shm.dir";

    private static final Logger LOG = LoggerFactory.getLogger(ShmDirectory.class);
    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwx------");
    public static final FileAttribute<?> OWNER_ONLY = PosixFilePermissions.asFileAttribute(MODE);
    private static final Pattern DEVICE = Pattern.compile("d-[0-9]{1,18}-[0-9a-f]{1,16}");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]*");
    private static final String SOCKET = ".sock";
    /** Links of a folder without folders in it, each of which is one more. */
    private static final int LINKS_OF_EMPTY = 2;

    /** How many of other processes are looked at for each device that is made, one with another. */
    static final int OTHERS_A_DEVICE = 32;

    /** Of this process's user; looked for when they are first needed, for they do not change. */
    private static volatile Path defaultFolder;
    private static volatile Integer self;
    /** A folder whose links were seen to tell how many folders are in it. */
    private static volatile Path counted;
    /** The folder that was swept last, and how many devices are made in it before it is swept again. */
    private static Path swept;
    private static int rest;

    private ShmDirectory() {
    }

    /** Returns the folder, made with mode 0700 when it is not there. */
    public static Path open() {
        String chosen = System.getProperty(PROPERTY);
        return open(chosen == null ? defaultFolder() : Path.of(chosen));
    }

    private static Path defaultFolder() {
        Path known = defaultFolder;
        if (known == null) {
            known = defaultFolder(Path.of("/dev/shm"));
            defaultFolder = known;
        }
        return known;
    }

    /** Returns the folder's path: below a place in memory, or, where there is none, below that of temporary files. */
    static Path defaultFolder(Path memory) {
        Path parent = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve(defaultName(System.getProperty("user.name")));
    }

    /** Returns the name of a user's folder: by number where the system has no name for it, as in many containers. */
    static String defaultName(String user) {
        if (user != null && USER.matcher(user).matches()) {
            return "jvrpc-" + user;
        }
        try {
            return "jvrpc-" + uid(Path.of("/proc/self"));
        } catch (IOException e) {
            throw new VerbsException("open_device", "the user has no name, user.name=" + user + ", and no number: " + e,
                    e);
        }
    }

    /** Returns the number of a file's owner; of /proc/self it is that of this process. */
    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }

    private static int ownUid() throws IOException {
        Integer known = self;
        if (known == null) {
            known = uid(Path.of("/proc/self"));
            self = known;
        }
        return known;
    }

    /** Returns a folder, made with mode 0700 when it is not there. */
    public static Path open(Path folder) {
        openChecked(folder);
        return folder;
    }

    /**
     * As {@link #open()}, and removes devices that dead processes left. The folder is listed only where it has others
     * than this process knows, which its number of links tells where the file system counts them: to list it takes the
     * longer the more was removed from it that is still mapped somewhere. Where other processes have many devices, not
     * each new one here has all of them looked at.
     */
    public static Path openAndSweep() {
        String chosen = System.getProperty(PROPERTY);
        Path folder = chosen == null ? defaultFolder() : Path.of(chosen);
        int links = openChecked(folder);
        if (rests(folder)) {
            return folder;
        }
        if (!folder.equals(counted) || !DeviceFolder.knowsAll(folder, links - LINKS_OF_EMPTY)) {
            int found = sweep(folder);
            counted = found > 0 && links - LINKS_OF_EMPTY >= found ? folder : null;
        }
        return folder;
    }

    /** Returns true when others are not looked for this time: there were many, and it was done a few devices ago. */
    private static synchronized boolean rests(Path folder) {
        if (!folder.equals(swept)) {
            swept = folder;
            rest = 0;
        }
        return rest > 0 && rest-- > 0;
    }

    private static synchronized void rest(Path folder, int others) {
        if (folder.equals(swept)) {
            rest = others / OTHERS_A_DEVICE;
        }
    }

    /** Returns how many links the folder has. */
    private static int openChecked(Path folder) {
        try {
            try {
                return check(folder);
            } catch (NoSuchFileException e) {
                make(folder);
                return check(folder);
            }
        } catch (IOException e) {
            throw new VerbsException("open_device", "folder=" + folder + " cannot be made: " + e, e);
        }
    }

    private static void make(Path folder) throws IOException {
        if (folder.getParent() != null) {
            Files.createDirectories(folder.getParent());
        }
        try {
            Files.createDirectory(folder, OWNER_ONLY);
        } catch (FileAlreadyExistsException e) {
            LOG.debug("another process has just made {}", folder);
        }
    }

    /** Whoever else could write here would write to our memory: the folder must be ours alone, and no link to one. */
    private static int check(Path folder) throws IOException {
        Map<String, Object> found = Files.readAttributes(
                folder, "unix:uid,permissions,isDirectory,isSymbolicLink,nlink", LinkOption.NOFOLLOW_LINKS);
        if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
            throw new VerbsException("open_device", "folder=" + folder + " must be a folder, is "
                    + (Boolean.TRUE.equals(found.get("isSymbolicLink")) ? "a symbolic link" : "another kind of file"));
        }
        int own = ownUid();
        if (!found.get("uid").equals(own)) {
            throw new VerbsException("open_device", "folder=" + folder + " must belong to this process's user, uid="
                    + own + ", has uid=" + found.get("uid"));
        }
        @SuppressWarnings("unchecked")
        Set<PosixFilePermission> mode = (Set<PosixFilePermission>) found.get("permissions");
        if (!mode.equals(MODE)) {
            throw new VerbsException("open_device", "folder=" + folder + " must have mode 0700, has "
                    + PosixFilePermissions.toString(mode));
        }
        return (Integer) found.get("nlink");
    }

    /** Returns true for a name that a device's folder could have. */
    public static boolean isDeviceName(String name) {
        return DEVICE.matcher(name).matches();
    }

    /** Removes devices that dead processes left; returns how many there were of all processes. */
    public static int sweep(Path folder) {
        String[] names = folder.toFile().list(); // a stream with a pattern takes several times as long
        if (names == null) {
            LOG.warn("cannot look for stale devices in {}", folder);
            return 0;
        }
        DeviceFolder.forgetGone(folder);
        int devices = 0;
        int others = 0;
        for (String name : names) {
            if (isDeviceName(name)) {
                devices++;
                others += DeviceFolder.sweepAndKnow(folder.resolve(name)) ? 1 : 0;
            }
        }
        rest(folder, others);
        return devices;
    }

    /** Removes sockets that dead processes left. */
    public static void sweepSockets(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + SOCKET)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                sweepSocket(folder, name.substring(0, name.length() - SOCKET.length()));
            }
        } catch (IOException e) {
            LOG.warn("cannot look for stale sockets in {}: {}", folder, e.toString());
        }
    }

    private static void sweepSocket(Path folder, String name) throws IOException {
        NameLock lock = NameLock.take(folder, name);
        if (lock != null) {
            try {
                Files.deleteIfExists(socket(folder, name)); // the lock was free: whoever made it is dead
            } finally {
                lock.release();
            }
        }
    }

    /** Returns where the socket of a listener's name is. */
    public static Path socket(Path folder, String name) {
        return folder.resolve(name + SOCKET);
    }

    /** Removes a device's folder when its process is dead and nobody uses it; returns true when it is gone. */
    public static boolean sweepDevice(Path device) {
        return isDeviceName(device.getFileName().toString()) && (DeviceFolder.sweep(device) || !Files.exists(device));
    }

    /** Deletes a device's folder that nobody uses, with the memory in it. */
    static void delete(Path device) {
        try {
            DeviceFolder.deleteFiles(device);
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone already", device);
        } catch (IOException e) {
            LOG.warn("cannot delete {}: {}", device, e.toString());
        }
    }

    /** Opens a file of the folder for locks; a symbolic link is not followed. */
    static FileChannel openLocks(Path folder) throws IOException {
        return FileChannel.open(folder.resolve(NameLock.FILE), Set.of(
                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.READ,
                java.nio.file.StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
}
