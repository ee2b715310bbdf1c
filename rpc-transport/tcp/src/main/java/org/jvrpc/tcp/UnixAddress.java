package org.jvrpc.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.tcp.link.Wire;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket in the file system. It is born with mode 0600, in a folder of its own, and put in its place then. Both sides
 * look who the other is: a server is of this user or of root, and so is a client, but for those of a server of root's,
 * whose socket may have been given to others.
 */
final class UnixAddress implements StreamAddress {

    private static final Logger LOG = LoggerFactory.getLogger(UnixAddress.class);
    /** Of {@code sockaddr_un}, without the byte that ends it, and without another that the JDK leaves. */
    private static final int MAX_BYTES = 106;
    /** Of {@code st_mode}. */
    private static final int TYPE_OF_MODE = 0170000;
    private static final int SOCKET = 0140000;
    private static final String SCHEME = "unix://";
    private static final String ROOT = "root";
    private static final String OWN = own();
    /** What is put before the path while it is born. */
    private static final String CRADLE = ".jvrpc-";
    private static final String BORN = "s";

    private final String text;
    private final Path path;
    /** Where a server's socket is, by no link. */
    private Path place;
    private Object identity;

    private UnixAddress(String text, Path path) {
        this.text = text;
        this.path = path;
    }

    /** @throws IllegalArgumentException which has the text */
    static UnixAddress parse(String text) {
        String name = text.substring(SCHEME.length());
        int bytes = name.getBytes().length;
        if (bytes > MAX_BYTES) {
            throw refused(text, ": its path has bytes=" + bytes + ", limit=" + MAX_BYTES
                    + "; a link to its folder may be shorter", null);
        }
        if (!name.startsWith("/") || name.endsWith("/")) {
            throw refused(text, "", null);
        }
        try {
            return new UnixAddress(text, Path.of(name));
        } catch (InvalidPathException e) {
            throw refused(text, ": " + e.getReason(), e);
        }
    }

    private static IllegalArgumentException refused(String text, String why, Exception e) {
        return new IllegalArgumentException("address=" + text + " is not unix:///path, of up to " + MAX_BYTES
                + " bytes" + why, e);
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public List<SocketAddress> resolve() {
        return List.of(UnixDomainSocketAddress.of(path));
    }

    @Override
    public SocketChannel open() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /** Returns the user, as the kernel says: a property may say anything, and nothing of users without a name. */
    private static String own() {
        RpcPrincipal self = LocalUsers.thisProcess();
        return self == null ? System.getProperty("user.name") : self.name();
    }

    @Override
    public void prepare(SocketChannel channel) throws IOException {
        if (!OWN.equals(ROOT)) { // a server of root's has whom the mode of its socket lets in
            expect(channel);
        }
    }

    /** What is called is this user's or root's, and the socket was put there by one of them. */
    @Override
    public Wire clientWire(SocketChannel channel) throws IOException {
        expect(channel);
        SocketFolder.expectOwnedAround(path, OWN);
        return StreamAddress.super.clientWire(channel);
    }

    private static void expect(SocketChannel channel) throws IOException {
        String peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
        if (!peer.equals(OWN) && !peer.equals(ROOT)) {
            throw new IOException("the other side is user=" + peer + ", this one user=" + OWN);
        }
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public Who who(Wire wire, InetAddress host) {
        return Who.later(() -> null, () -> peer(wire.channel()));
    }

    private RpcPrincipal peer(SocketChannel channel) {
        try {
            UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
            return LocalUsers.process(peer.user().getName(), peer.group().getName(), RpcPrincipal.UNKNOWN);
        } catch (IOException e) {
            LOG.debug("who is at the other end of {}: {}", text, e.toString());
            return null;
        }
    }

    @Override
    public InetAddress peerHost(SocketChannel channel) {
        return null;
    }

    @Override
    public ServerSocketChannel listen(int backlog) throws IOException {
        Path folder = path.getParent().toRealPath(); // which no link leads elsewhere any more
        SocketFolder.expectOwned(folder, OWN);
        place = folder.resolve(path.getFileName());
        Path cradle = Files.createTempDirectory(folder, CRADLE); // mode 0700
        Path born = cradle.resolve(BORN);
        Path old = cradle.resolve("old");
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                takeAway(old);
            }
            bind(channel, born, backlog);
            Files.setPosixFilePermissions(born, PosixFilePermissions.fromString("rw-------"));
            identity = key(born);
            Files.createLink(place, born); // which replaces nobody's who came first
            return channel;
        } catch (FileAlreadyExistsException e) {
            channel.close();
            throw new BindException("somebody listens at " + path);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        } finally {
            Files.deleteIfExists(born);
            Files.deleteIfExists(old); // not before: its number would be that of the next socket
            Files.delete(cradle);
        }
    }

    /** A socket's path may be short enough, and not that of where it is born: a link of this process's leads there. */
    private static void bind(ServerSocketChannel channel, Path born, int backlog) throws IOException {
        if (born.toString().getBytes().length <= MAX_BYTES) {
            channel.bind(UnixDomainSocketAddress.of(born), backlog);
            return;
        }
        Path near = Files.createTempDirectory(CRADLE);
        Path link = near.resolve("c");
        try {
            Files.createSymbolicLink(link, born.getParent());
            channel.bind(UnixDomainSocketAddress.of(link.resolve(BORN)), backlog);
        } finally {
            Files.deleteIfExists(link);
            Files.delete(near);
        }
    }

    /** Returns what no other socket has, as long as this one is there, and hardly any later: numbers come again. */
    private static Object key(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return List.of(found.fileKey(), found.lastModifiedTime());
    }

    /**
     * Takes a socket away at which nobody listens any more, whose server died and left it. One that another server put
     * in its place meanwhile goes back.
     */
    private void takeAway(Path old) throws IOException {
        if (((int) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS) & TYPE_OF_MODE) != SOCKET) {
            throw new BindException(path + " is no socket");
        }
        Object stale = key(place);
        expectNobody();
        try {
            Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
            if (!key(old).equals(stale)) {
                Files.createLink(place, old);
                throw new BindException("somebody listens at " + path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("another server took {} away", path);
        }
    }

    private void expectNobody() throws IOException {
        try (SocketChannel channel = open()) {
            channel.configureBlocking(false); // a server that takes nobody just now is there all the same
            channel.connect(resolve().get(0));
        } catch (ConnectException e) { // refused; what else fails does not tell that nobody is there
            return;
        }
        throw new BindException("somebody listens at " + path);
    }

    @Override
    public String listening(ServerSocketChannel channel) {
        return text;
    }

    @Override
    public void left() throws IOException {
        if (Files.exists(place) && key(place).equals(identity)) { // else it is another server's by now
            Files.delete(place);
        }
    }
}
