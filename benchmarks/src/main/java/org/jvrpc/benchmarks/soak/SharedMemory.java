package org.jvrpc.benchmarks.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Programs;
import org.jvrpc.benchmarks.harness.Run;

/**
 * The campaign's folder of shared memory. Where the user may mount, it is a small tmpfs in a mount namespace of the
 * campaign's processes, which is gone when they are; there it can be filled up.
 */
final class SharedMemory {

    private static final String NAME = "shm";
    private static final String FILLER = "filler";
    private static final int MIB = 1 << 20;
    private static final String MOUNT = "mount -t tmpfs -o size=384m,mode=0700 jvrpc-soak \"$1\" || exit 1;"
            + " echo OK; read -r line";

    private final Path folder;
    private final Path view;
    private final List<String> prefix;

    private SharedMemory(Path folder, Path view, List<String> prefix) {
        this.folder = folder;
        this.view = view;
        this.prefix = prefix;
    }

    static SharedMemory open(Run run) throws IOException {
        Path folder = Files.createDirectory(run.directory().resolve(NAME),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            String unshare = Programs.find("unshare");
            String nsenter = Programs.find("nsenter");
            if (unshare == null || nsenter == null) {
                return new SharedMemory(folder, folder, List.of());
            }
            Child holder = run.startProgram("mount", List.of(unshare, "--mount", "/bin/sh", "-c", MOUNT, "mount",
                    folder.toString()));
            Path view = Path.of("/proc/" + holder.pid() + "/root" + folder);
            return new SharedMemory(folder, view, List.of(nsenter, "--mount", "--target",
                    Long.toString(holder.pid()), "--"));
        } catch (ContenderException e) {
            return new SharedMemory(folder, folder, List.of()); // this user may not mount
        }
    }

    /** Returns the folder as the campaign's processes see it. */
    Path folder() {
        return folder;
    }

    /** Returns the program that starts processes where they see the folder. */
    List<String> prefix() {
        return prefix;
    }

    boolean canFill() {
        return !prefix.isEmpty();
    }

    /** Leaves no room. */
    void fill() throws IOException {
        try (FileChannel file = FileChannel.open(view.resolve(FILLER), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(MIB);
            while (canFill()) {
                file.write(chunk.clear());
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    /** Gives the room back. */
    void free() throws IOException {
        Files.deleteIfExists(view.resolve(FILLER));
    }

    /** Returns what lies in the folder. */
    List<Path> files() {
        for (int attempt = 0; ; attempt++) {
            try (Stream<Path> files = Files.walk(view)) {
                return files.filter(file -> !file.equals(view)).toList();
            } catch (IOException | UncheckedIOException e) {
                if (attempt == 20) { // files come and go
                    throw new IllegalStateException("cannot list " + view, e);
                }
            }
        }
    }

    /** Returns how many KiB the files in the folder have. */
    long kib() {
        long bytes = 0;
        for (Path file : files()) {
            try {
                bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
            } catch (IOException e) {
                bytes += 0; // it has just gone
            }
        }
        return bytes / 1024;
    }
}
