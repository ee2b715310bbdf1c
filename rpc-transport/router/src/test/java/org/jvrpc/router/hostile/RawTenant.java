package org.jvrpc.router.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.Welcome;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;

/**
 * A tenant's device without a driver: a socket, a folder with one file of memory, and whatever is written there. One
 * thread, but for the memory.
 */
final class RawTenant implements AutoCloseable {

    static final int SEGMENT = 1;
    static final int PD = 1;
    static final int KEY = 7 << 8 | 1;
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    /** Where registered memory begins; queues lie before it. */
    static final int DATA = 512 << 10;
    static final int DATA_BYTES = 512 << 10;
    static final int BYTES = DATA + DATA_BYTES;

    /** From its birth: a folder whose mode is changed loses what gives its files the group of its parent. */
    private static final FileAttribute<?> FOR_THE_GROUP =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwx---"));
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    final Path dir;
    final Path folder;
    final SocketChannel socket;
    ByteBuffer memory;
    Welcome welcome;
    int rkey;
    private final FrameReader reader = new FrameReader();
    private int lastId;

    /** Makes a folder with a file of memory, and a socket that has said nothing. @param dir the tenant's folder */
    RawTenant(Path dir) {
        this.dir = dir;
        this.folder = dir.resolve("d-" + ProcessHandle.current().pid() + "-"
                + Integer.toHexString(0xa000000 + NUMBERS.incrementAndGet()));
        try {
            Files.createDirectory(folder, FOR_THE_GROUP);
            Files.createFile(folder.resolve("lock"));
            memory = file(SEGMENT, BYTES);
            socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            socket.connect(UnixDomainSocketAddress.of(dir.resolve("s")));
            socket.configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes one that is let in and has its memory announced and registered. */
    static RawTenant attached(Path dir) {
        RawTenant tenant = new RawTenant(dir);
        tenant.enter();
        return tenant;
    }

    void enter() {
        welcome = decode(ask(hello()));
        done(new SlabNote(SEGMENT, BYTES, name(), SEGMENT).frame(nextId()));
        rkey = done(new RegionNote(KEY, PD, ALL, address(DATA), DATA_BYTES).frame(nextId())).object();
    }

    private static Welcome decode(ControlFrame frame) {
        try {
            return Welcome.decode(frame);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ControlFrame hello() {
        try {
            byte[] token = Files.readString(dir.resolve("token")).strip().getBytes();
            return new Hello(ControlFrame.VERSION, ControlFrame.VERSION, 0, name(), token).frame(nextId());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return folder.getFileName().toString();
    }

    /** Makes a file of zeros in the folder, and maps it. */
    ByteBuffer file(int number, int bytes) {
        Path path = folder.resolve(Integer.toString(number));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(bytes), 0);
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            return mapped.order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void cut(int number, long bytes) {
        try (FileChannel channel = FileChannel.open(folder.resolve(Integer.toString(number)),
                StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long address(int offset) {
        return Slab.baseOf(SEGMENT) + offset;
    }

    int nextId() {
        return ++lastId;
    }

    // The socket.

    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (socket.write(bytes) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    void say(ControlFrame frame) {
        try {
            write(frame.encode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a frame that has come, or null. */
    ControlFrame look() {
        try {
            return reader.read(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ControlFrame hear() {
        ControlFrame[] heard = new ControlFrame[1];
        Waits.until("a frame of the router", () -> (heard[0] = look()) != null);
        return heard[0];
    }

    /** Returns the next frame of a command; others are passed over. */
    ControlFrame hear(Command command) {
        ControlFrame frame = hear();
        while (frame.command() != command) {
            frame = hear();
        }
        return frame;
    }

    /** Says a frame, and returns the answer to it. */
    ControlFrame ask(ControlFrame frame) {
        say(frame);
        ControlFrame answer = hear();
        while (answer.id() != frame.id() || answer.command() == Command.WAKE) {
            answer = hear();
        }
        return answer;
    }

    ControlFrame done(ControlFrame frame) {
        ControlFrame answer = ask(frame);
        if (answer.command() != Command.DONE) {
            throw new IllegalStateException(frame.command() + ": " + answer.command() + " "
                    + new String(answer.body(), java.nio.charset.StandardCharsets.ISO_8859_1));
        }
        return answer;
    }

    /** Waits for the router to leave. */
    void isLeft() {
        Waits.until("the router to leave", () -> {
            try {
                look();
                return false;
            } catch (UncheckedIOException e) {
                return true;
            }
        });
    }

    /** Names a QP as a peer, whosoever it is. */
    ControlFrame connect(int qp, int device, int peer, long incarnation) {
        return new ConnectNote("", 0, device, peer, incarnation, new byte[0])
                .frame(nextId(), qp, ConnectNote.BY_ENDPOINT);
    }

    /** Removes its files; their memory is returned. Nothing of it may be touched any more. */
    void remove() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.truncate(0);
                    }
                }
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the socket; what was mapped stays. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
