package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/** A folder that is open: whoever may rename it or put another in its place changes nothing of this one. Any thread. */
final class OpenFolder implements AutoCloseable {

    private final SecureDirectoryStream<Path> stream;
    private final Path place;
    private final String name;

    private OpenFolder(SecureDirectoryStream<Path> stream, Path place, String name) {
        this.stream = stream;
        this.place = place;
        this.name = name;
    }

    /** Opens a folder; its last name may be no link. */
    static OpenFolder open(Path path) {
        return open(path.toString(), () -> {
            if (!Descriptors.at(path).isFolder()) {
                throw new IOException("is no folder");
            }
            return Files.newDirectoryStream(path);
        });
    }

    /** Opens a folder in this one; its name may be no link. */
    OpenFolder open(String child) {
        return open(name + "/" + child,
                () -> stream.newDirectoryStream(Path.of(child), LinkOption.NOFOLLOW_LINKS));
    }

    private interface Opening {
        DirectoryStream<Path> run() throws IOException;
    }

    private static OpenFolder open(String name, Opening opening) {
        try {
            for (int i = 0; i < Descriptors.TRIES; i++) {
                OpenFolder folder = openOnce(name, opening);
                if (folder != null) {
                    return folder;
                }
            }
            throw new IOException("its descriptor is not found");
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    private static OpenFolder openOnce(String name, Opening opening) throws IOException {
        DirectoryStream<Path> opened = null;
        OpenFolder folder = null;
        try (Descriptors.Mark mark = Descriptors.mark()) {
            opened = opening.run();
            if (!(opened instanceof SecureDirectoryStream<Path> stream)) {
                throw new IOException("this system has no openat(2)");
            }
            Object key = stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
            Path place = mark.since(key);
            folder = place == null ? null : new OpenFolder(stream, place, name);
            return folder;
        } finally {
            if (folder == null && opened != null) {
                opened.close();
            }
        }
    }

    /** Returns what says that something is the matter with a folder or a file in it. */
    static RefusedException refused(String name, Object why) {
        return new RefusedException(Refusal.FOLDER, "folder=" + name + ": " + why);
    }

    SecureDirectoryStream<Path> stream() {
        return stream;
    }

    String name() {
        return name;
    }

    /** Returns a path by which its files are found, wherever it is called by now. */
    Path place() {
        return place;
    }

    Descriptors.Facts facts() {
        try {
            return Descriptors.at(place);
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    UserPrincipal owner() {
        try {
            return stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes().owner();
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new IllegalStateException("a folder's stream", e);
        }
    }
}
