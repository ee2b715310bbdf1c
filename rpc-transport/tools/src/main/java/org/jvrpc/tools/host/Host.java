package org.jvrpc.tools.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The files of a host. What is not there or cannot be read is null, or empty: that is what the checks are about.
 *
 * @param root {@code /}, or a tree that a test made
 * @param kernel its release, as {@code uname -r} says
 * @param user who asks
 * @param opener tries to open a device file for reading and writing: null, or why not
 */
public record Host(Path root, String kernel, String user, Function<Path, String> opener) {

    /** Returns the host that this runs on. */
    public static Host real() {
        return new Host(Path.of("/"), System.getProperty("os.version"), System.getProperty("user.name"), Host::open);
    }

    // The rights of the file alone do not tell: a container may have the file and not the device.
    private static String open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.isOpen() ? null : "closed";
        } catch (AccessDeniedException e) {
            return "permission denied";
        } catch (FileSystemException e) {
            return e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** Returns the place of an absolute path. */
    public Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** Returns true when there is such a file, folder or link. */
    public boolean exists(String absolute) {
        return Files.exists(path(absolute));
    }

    /** Returns what stands in a file, without white space around it; null when it cannot be read. */
    public String read(String absolute) {
        try {
            return Files.readString(path(absolute)).strip();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the names in a folder, in order. */
    public List<String> names(String absolute) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(absolute))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException e) {
            return names;
        }
        Collections.sort(names);
        return names;
    }

    /** Returns the last name of where a link leads; null when it is none. */
    public String linkName(String absolute) {
        try {
            return Files.readSymbolicLink(path(absolute)).getFileName().toString();
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Returns the last name of a path when all links in it are followed; null when it leads nowhere. */
    public String realName(String absolute) {
        try {
            return path(absolute).toRealPath().getFileName().toString();
        } catch (IOException e) {
            return null;
        }
    }

    /** Tries to open a device file for reading and writing. Returns null, or why it cannot be opened. */
    public String openFailure(String absolute) {
        return opener.apply(path(absolute));
    }

    /** Returns rights, owner and group of a file for people. */
    public String rights(String absolute) {
        try {
            PosixFileAttributes found = Files.readAttributes(
                    path(absolute), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return PosixFilePermissions.toString(found.permissions()) + " " + found.owner().getName() + ":"
                    + found.group().getName();
        } catch (IOException | UnsupportedOperationException e) {
            return "unknown rights";
        }
    }

    /** Returns the group that may write a file; null when only its owner may, or its group is root. */
    public String writingGroup(String absolute) {
        String rights = rights(absolute);
        String group = rights.substring(rights.indexOf(':') + 1);
        return rights.length() > 9 && rights.charAt(4) == 'w' && !group.equals("root") ? group : null;
    }
}
