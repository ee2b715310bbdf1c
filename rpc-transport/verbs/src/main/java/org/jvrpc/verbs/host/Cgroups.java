package org.jvrpc.verbs.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the folders of this process's cgroups, of version 2 and 1. Source: cgroups(7). */
final class Cgroups {

    private Cgroups() {
    }

    /**
     * Returns the folders that may limit this process, its own group's first and the root's last.
     *
     * @param proc {@code /proc}
     * @param mount {@code /sys/fs/cgroup}
     * @param controller what limits, as {@code cpu}
     */
    static List<Path> folders(Path proc, Path mount, String controller) {
        List<Path> folders = new ArrayList<>();
        for (String line : lines(proc.resolve("self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                addUpwards(folders, mount, parts[2]);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(controller)) {
                Path joint = mount.resolve(parts[1]);
                addUpwards(folders, Files.isDirectory(joint) ? joint : mount.resolve(controller), parts[2]);
            }
        }
        return folders;
    }

    /** Adds a group and all above it; in a container the path may be one of the host, of which only the root is. */
    private static void addUpwards(List<Path> folders, Path root, String group) {
        Path named = root.resolve(group.replaceFirst("^/+", "")).normalize();
        for (Path folder = named.startsWith(root) ? named : root; folder.startsWith(root);
                folder = folder.getParent()) {
            folders.add(folder);
        }
    }

    /** Returns the lines of a file; none when it cannot be read. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // there is none on this machine
        }
    }

    /** Returns the number after a name and a space in a file of such lines; -1 when there is none. */
    static long field(Path file, String name) {
        for (String line : lines(file)) {
            if (line.startsWith(name + " ")) {
                return number(line.substring(name.length() + 1));
            }
        }
        return -1;
    }

    /** Returns a number; -1 when it is none, as {@code max}. */
    static long number(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
