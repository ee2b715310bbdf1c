package org.jvrpc.router.control.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;

/**
 * The file of a {@link FileView} as an administrator changes it: under a lock beside it, written whole and renamed
 * over, with the next epoch. The audit log is the file beside it whose name ends in {@code .audit}, of its user alone.
 * One thread.
 */
public final class FileStore implements ControlStore {

    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rw-------");
    private static final int MOST_AUDIT = 1_000;

    private final Path file;

    /** @param file that a {@link FileView} reads */
    public FileStore(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** Makes a file that says nothing where there is none. @return false where there was one */
    public boolean init() throws IOException {
        if (Files.exists(file)) {
            return false;
        }
        write(new ControlState(1, ControlState.NOTHING.tenants(), ControlState.NOTHING.homes(),
                ControlState.NOTHING.routers(), List.of()));
        return true;
    }

    @Override
    public ControlState read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Codec.MOST + 1);
            if (bytes.length > Codec.MOST) {
                throw new IOException(file + " is longer than bytes=" + Codec.MOST);
            }
            return Codec.state(file.toString(), new String(bytes, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is not there: jvrpc router ctl init makes it", e);
        } catch (BadTextException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public ControlState change(String what, UnaryOperator<ControlState> edit) throws IOException {
        try (FileChannel beside = FileChannel.open(beside(".lock"), Set.of(StandardOpenOption.CREATE,
                StandardOpenOption.WRITE), PosixFilePermissions.asFileAttribute(OWN))) {
            beside.lock(); // until it is closed
            ControlState was = read();
            ControlState now = edit.apply(was).at(was.epoch() + 1);
            note(what, now.epoch());
            write(now);
            return now;
        }
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private void note(String what, long epoch) throws IOException {
        String line = new JsonObject().text("at", Instant.now().toString()).text("by", System.getProperty("user.name"))
                .number("epoch", epoch).text("what", what) + "\n";
        try (FileChannel log = FileChannel.open(beside(".audit"), Set.of(StandardOpenOption.CREATE,
                StandardOpenOption.APPEND), PosixFilePermissions.asFileAttribute(OWN))) {
            log.write(StandardCharsets.US_ASCII.encode(line));
        }
    }

    private void write(ControlState state) throws IOException {
        Set<PosixFilePermission> rights = Files.exists(file) ? Files.getPosixFilePermissions(file) : OWN;
        ByteBuffer text = StandardCharsets.US_ASCII.encode(Codec.text(state));
        Path next = beside(".new");
        Files.deleteIfExists(next);
        try (FileChannel out = FileChannel.open(next, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWN))) {
            while (text.hasRemaining()) {
                out.write(text);
            }
            out.force(true);
        }
        Files.setPosixFilePermissions(next, rights);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public List<String> audit() throws IOException {
        Path log = beside(".audit");
        List<String> lines = Files.exists(log) ? Files.readAllLines(log, StandardCharsets.US_ASCII) : List.of();
        return lines.subList(Math.max(0, lines.size() - MOST_AUDIT), lines.size());
    }

    @Override
    public void close() {
        // nothing is open
    }
}
