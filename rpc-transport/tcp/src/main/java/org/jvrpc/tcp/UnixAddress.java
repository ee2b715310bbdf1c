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
 * look who the other is: a server is of this user or of root, and a client is as well.
 */
final class UnixAddress implements StreamAddress {

    private static final Logger LOG = LoggerFactory.getLogger(UnixAddress.class);
    /** Of {@code sockaddr_un}, without the byte that ends it. */
    private static final int MAX_BYTES = 107;
    /** Of {@code st_mode}. */
    private static final int TYPE_OF_MODE = 0170000;
    private static final int SOCKET = 0140000;
    private static final String SCHEME = "unix://";
    /** What is put before the path while it is born. */
    private static final String CRADLE = ".jvrpc-";

    private final String text;
    private final Path path;
    private Object identity;

    private UnixAddress(String text, Path path) {
        this.text = text;
        this.path = path;
    }

    /** @throws IllegalArgumentException which has the text */
    static UnixAddress parse(String text) {
        String name = text.substring(SCHEME.length());
        boolean fits = name.startsWith("/") && !name.endsWith("/") && name.getBytes().length <= MAX_BYTES;
        try {
            if (fits) {
                return new UnixAddress(text, Path.of(name));
            }
        } catch (InvalidPathException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    private static IllegalArgumentException refused(String text, Exception e) {
        return new IllegalArgumentException("address=" + text + " is not unix:///path, of up to " + MAX_BYTES
                + " bytes", e);
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

    @Override
    public void prepare(SocketChannel channel) throws IOException {
        String peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
        String own = System.getProperty("user.name");
        if (!peer.equals(own) && !peer.equals("root") && !own.equals("root")) {
            throw new IOException("the other side is user=" + peer + ", this one user=" + own);
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
        Path cradle = Files.createTempDirectory(path.toAbsolutePath().getParent(), CRADLE); // mode 0700
        Path born = cradle.resolve("s");
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            if (Files.exists(path)) {
                takeAway(cradle.resolve("old"));
            }
            channel.bind(UnixDomainSocketAddress.of(born), backlog);
            Files.setPosixFilePermissions(born, PosixFilePermissions.fromString("rw-------"));
            identity = key(born);
            Files.createLink(path, born); // which replaces nobody's who came first
            return channel;
        } catch (FileAlreadyExistsException e) {
            channel.close();
            throw new BindException("somebody listens at " + path);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        } finally {
            Files.deleteIfExists(born);
            Files.delete(cradle);
        }
    }

    private static Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /**
     * Takes a socket away at which nobody listens any more, whose server died and left it. One that another server put
     * in its place meanwhile goes back.
     */
    private void takeAway(Path old) throws IOException {
        if (((int) Files.getAttribute(path, "unix:mode") & TYPE_OF_MODE) != SOCKET) {
            throw new BindException(path + " is no socket");
        }
        Object stale = key(path);
        expectNobody();
        try {
            Files.move(path, old, StandardCopyOption.ATOMIC_MOVE);
            if (!key(old).equals(stale)) {
                Files.createLink(path, old);
                throw new BindException("somebody listens at " + path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("another server took {} away", path);
        } finally {
            Files.deleteIfExists(old);
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
        if (Files.exists(path) && key(path).equals(identity)) { // else it is another server's by now
            Files.delete(path);
        }
    }
}
