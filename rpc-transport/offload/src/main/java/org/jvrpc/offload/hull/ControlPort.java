package org.jvrpc.offload.hull;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Where the application asks its hull: a Unix-domain socket that only its user can open. Any thread. */
final class ControlPort implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ControlPort.class.getName());
    private static final int MAX_SESSIONS = 64;
    private static final long PAUSE_NS = 100_000_000;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final ServerSocketChannel server;
    private final HullDesk desk;
    private final Set<ControlSocket> sessions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private ControlPort(Path path, ServerSocketChannel server, HullDesk desk) {
        this.path = path;
        this.server = server;
        this.desk = desk;
    }

    /** Returns where a hull's socket is that is not told otherwise. */
    static Path defaultPath(String address) {
        String name = address.substring(address.indexOf("://") + 3).replaceAll("[^A-Za-z0-9._-]", "_");
        return defaultFolder().resolve(name + ".control");
    }

    private static Path defaultFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"), "jvrpc-hull-" + System.getProperty("user.name"));
    }

    /** Begins to listen. @throws IOException also when a living hull listens there */
    static ControlPort open(Path path, HullDesk desk) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        if (folder.equals(defaultFolder())) {
            checkOwn(folder);
        }
        if (Files.exists(path)) {
            deleteOfDead(path);
        }
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            server.close();
            throw new IOException("control=" + path + ": " + e.getMessage(), e);
        }
        ControlPort port = new ControlPort(path, server, desk);
        start(port::accept, "jvrpc-hull-control");
        return port;
    }

    /**
     * Refuses a folder that is not this user's alone: everybody may make folders beside it, and who made this one could
     * put a socket of his own in place of the hull's.
     */
    static void checkOwn(Path folder) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw new IOException("folder=" + folder + " must be a folder, and no link");
        }
        if (!found.permissions().equals(OWNER_ONLY)) {
            throw new IOException("folder=" + folder + " must have mode 0700, has "
                    + PosixFilePermissions.toString(found.permissions()));
        }
        Path own = Files.createTempFile(folder, "owner", null); // whose it is says who this process is
        try {
            UserPrincipal user = Files.getOwner(own, LinkOption.NOFOLLOW_LINKS);
            if (!found.owner().equals(user)) {
                throw new IOException("folder=" + folder + " must be this user's, user=" + user.getName() + " owner="
                        + found.owner().getName());
            }
        } finally {
            Files.delete(own);
        }
    }

    private static void deleteOfDead(Path path) throws IOException {
        if (!Files.readAttributes(path, BasicFileAttributes.class).isOther()) { // connecting would not tell
            throw new IOException("control=" + path + " is there, and no socket");
        }
        try {
            ControlSocket.connect(path, 1).close();
        } catch (ConnectException e) {
            Files.delete(path);
            return;
        }
        throw new IOException("control=" + path + " is in use by a living hull");
    }

    private static void start(Runnable body, String name) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    Path path() {
        return path;
    }

    private void accept() {
        while (!closed) {
            try {
                take(server.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "accepting at " + path + ": " + e);
                LockSupport.parkNanos(PAUSE_NS); // no descriptor is free, perhaps
            }
        }
    }

    /** Has a connection served, unless there are too many. One that comes while this closes is closed. */
    void take(SocketChannel socket) throws IOException {
        if (sessions.size() >= MAX_SESSIONS) {
            LOG.log(System.Logger.Level.WARNING, "too many control connections: " + MAX_SESSIONS);
            socket.close();
            return;
        }
        ControlSocket session = new ControlSocket(socket, ControlSession.MAX_LINE);
        sessions.add(session);
        if (closed) {
            session.close(); // close() may have gone through the sessions before this one was among them
        }
        start(() -> serve(session), "jvrpc-hull-session");
    }

    private void serve(ControlSocket socket) {
        try {
            new ControlSession(socket, desk).run();
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a control connection ends: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sessions.remove(socket);
        }
    }

    /** Ends all connections. Idempotent. */
    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "closing control=" + path + ": " + e);
        }
        sessions.forEach(ControlSocket::close);
    }
}
