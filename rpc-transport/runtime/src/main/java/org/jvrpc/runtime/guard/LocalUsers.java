package org.jvrpc.runtime.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.stream.Stream;
import org.jvrpc.api.auth.RpcPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users and groups of this host, whose numbers the JDK does not tell. Any thread; reads small files. */
public final class LocalUsers {

    private static final Logger LOG = LoggerFactory.getLogger(LocalUsers.class);
    private static final Path USERS = Path.of("/etc/passwd");
    private static final Path GROUPS = Path.of("/etc/group");

    private LocalUsers() {
    }

    /**
     * Returns a process of this host.
     *
     * @param user as the kernel says
     * @param group as the kernel says
     * @param pid by its own word, or {@link RpcPrincipal#UNKNOWN}: it is kept where a process of that user has it
     */
    public static RpcPrincipal process(String user, String group, long pid) {
        return RpcPrincipal.process(user, group, number(USERS, user), number(GROUPS, group),
                pid > 0 && isOf(user, pid) ? pid : RpcPrincipal.UNKNOWN);
    }

    /** Returns this process; null where that cannot be told. */
    public static RpcPrincipal thisProcess() {
        try {
            PosixFileAttributes self = Files.readAttributes(Path.of("/proc/self"), PosixFileAttributes.class);
            return process(self.owner().getName(), self.group().getName(), ProcessHandle.current().pid());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("whose this process is: {}", e.toString());
            return null;
        }
    }

    private static boolean isOf(String user, long pid) {
        try {
            return Files.getOwner(Path.of("/proc", Long.toString(pid))).getName().equals(user);
        } catch (IOException | InvalidPathException e) {
            return false; // it is gone, or of a name space of its own
        }
    }

    /** Returns the number of a name in a file of lines {@code name:…:number:…}. */
    static long number(Path file, String name) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(":", 4)).filter(parts -> parts.length >= 3 && parts[0].equals(name)
                    && parts[2].matches("\\d{1,10}")).mapToLong(parts -> Long.parseLong(parts[2])).findFirst()
                    .orElse(nameless(name));
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{}: {}", file, e.toString());
            return RpcPrincipal.UNKNOWN;
        }
    }

    /** Returns the number of somebody who has no name, and so is called by it; a name may be made of digits, too. */
    private static long nameless(String name) {
        return name.matches("\\d{1,10}") ? Long.parseLong(name) : RpcPrincipal.UNKNOWN;
    }
}
