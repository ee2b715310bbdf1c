package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/**
 * A folder that is open: whoever may rename it or put another in its place changes nothing of this one. Held by a plain
 * descriptor, as a stream of its names has a buffer of 32 KiB, and there are two folders a tenant. Any thread.
 */
final class OpenFolder implements AutoCloseable {

    private final FileChannel held;
    private final Path place;
    private final String name;

    private OpenFolder(FileChannel held, Path place, String name) {
        this.held = held;
        this.place = place;
        this.name = name;
    }

    /** Opens a folder; its last name may be no link. */
    static OpenFolder open(Path path) {
        return open(path.toString(), path);
    }

    /** Opens a folder in this one; its name may be no link. */
    OpenFolder open(String child) {
        return open(name + "/" + child, place.resolve(child));
    }

    private static OpenFolder open(String name, Path path) {
        try {
            for (int i = 0; i < Descriptors.TRIES; i++) {
                OpenFolder folder = openOnce(name, path);
                if (folder != null) {
                    return folder;
                }
            }
            throw new IOException("its descriptor is not found");
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    /** Opens what was looked at; returns null when it is another one by then, or its descriptor cannot be told. */
    private static OpenFolder openOnce(String name, Path path) throws IOException {
        Descriptors.Facts looked = Descriptors.at(path);
        if (!looked.isFolder()) {
            throw new IOException("is no folder");
        }
        FileChannel opened = null;
        OpenFolder folder = null;
        try (Descriptors.Mark mark = Descriptors.mark()) {
            opened = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            Path place = mark.since(looked.key());
            folder = place == null ? null : new OpenFolder(opened, place, name);
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

    String name() {
        return name;
    }

    /**
     * Returns a path by which its files are found, wherever it is called by now: what is resolved against it is looked
     * up from the descriptor, as openat(2) does.
     */
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
            return Files.getOwner(place);
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    @Override
    public void close() {
        try {
            held.close();
        } catch (IOException e) {
            throw new IllegalStateException("a folder's descriptor", e);
        }
    }
}
