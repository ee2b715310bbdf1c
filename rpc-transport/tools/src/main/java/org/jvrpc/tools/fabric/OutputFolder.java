package org.jvrpc.tools.fabric;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where a run is written to: a folder that is made, or is empty, or has the mark of an earlier run. Files of earlier
 * runs are replaced; nothing is written through a symbolic link, and nothing else in the folder is touched.
 */
final class OutputFolder {

    /** The mark. */
    static final String MARK = ".jvrpc-fabric";

    private final Path folder;
    private final List<Path> written = new ArrayList<>();

    private OutputFolder(Path folder) {
        this.folder = folder;
    }

    /** Opens a folder, and makes it and those above it when they are not there. */
    static OutputFolder open(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new FileSystemException(folder.toString(), null, "is no folder");
        }
        if (!Files.exists(folder.resolve(MARK), LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> found = Files.list(folder)) {
                if (found.findAny().isPresent()) {
                    throw new FileSystemException(folder.toString(), null,
                            "has files that jvrpc fabric did not write: name another folder, or empty this one");
                }
            }
            Files.createFile(folder.resolve(MARK));
        }
        return new OutputFolder(folder);
    }

    /** Begins a file, in place of one of that name. */
    OutputStream file(String name) throws IOException {
        return file(name, "rw-r--r--");
    }

    /** Begins a file that only its owner may read: it may bear what others sent. */
    OutputStream secret(String name) throws IOException {
        return file(name, "rw-------");
    }

    private OutputStream file(String name, String mode) throws IOException {
        Path path = folder.resolve(name);
        FileAttribute<?> permissions = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(path.toString(), null, "is a folder");
        }
        Files.deleteIfExists(path);
        OutputStream out = Channels.newOutputStream(Files.newByteChannel(path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions));
        written.add(path);
        return new BufferedOutputStream(out, 1 << 16);
    }

    /** Returns the files that were begun. */
    List<Path> written() {
        return written;
    }

    /** Says in words what went wrong with a file. */
    static String words(Throwable problem) {
        if (problem instanceof FileSystemException failed) {
            String reason = failed.getReason() != null ? failed.getReason()
                    : failed instanceof AccessDeniedException ? "permission denied"
                    : failed instanceof NoSuchFileException ? "is not there"
                    : failed instanceof FileAlreadyExistsException ? "is there already" : failed.toString();
            return failed.getFile() + ": " + reason;
        }
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }
}
