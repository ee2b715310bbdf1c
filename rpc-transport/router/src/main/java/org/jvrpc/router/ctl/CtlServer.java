package org.jvrpc.router.ctl;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.audit.Redaction;
import org.jvrpc.router.audit.SparseLog;

/**
 * Answers those who look after a router. The socket has mode 0600, unless other users than the router's own are named:
 * then anybody may connect, and the user that the kernel tells of is what counts. Any thread.
 */
public final class CtlServer implements AutoCloseable {

    /** Name of the socket in the router's folder. */
    public static final String SOCKET = "ctl.sock";
    static final String OK = "ok\n";
    /** Of {@code sockaddr_un}, with some room for the folder that the socket is born in. */
    private static final int MOST_PATH_BYTES = 80;
    private static final int MOST_AT_A_TIME = 8;
    private static final int MOST_LINE = 256;
    private static final long PATIENCE_MS = 2_000;
    private static final SparseLog LOG = SparseLog.of(CtlServer.class);

    private final Path path;
    private final Set<UserPrincipal> admins;
    private final Map<String, Verb> verbs;
    private final Function<SocketChannel, UserPrincipal> peer;
    private final Audit audit;
    private final ServerSocketChannel socket;
    private final Object key;
    private final Semaphore places = new Semaphore(MOST_AT_A_TIME);
    private final Set<Thread> talking = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::run, "jvrpc-router-ctl");

    private CtlServer(Path folder, Set<UserPrincipal> admins, boolean others, Map<String, Verb> verbs,
            Function<SocketChannel, UserPrincipal> peer, Audit audit) throws IOException {
        this.path = folder.resolve(SOCKET);
        this.admins = admins;
        this.verbs = verbs;
        this.peer = peer;
        this.audit = audit;
        this.socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            this.key = bear(folder, others ? "rw-rw-rw-" : "rw-------");
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        thread.setDaemon(true);
    }

    /**
     * Begins to answer.
     *
     * @param folder of the router, which has the lock of it: a socket that is there is a dead router's
     * @param names users, or their numbers, who may ask besides this process's user and root
     * @throws IllegalArgumentException when a user is not known
     * @throws IOException when there can be no socket
     */
    public static CtlServer start(Path folder, List<String> names, Map<String, Verb> verbs, Audit audit)
            throws IOException {
        return start(folder, names, verbs, CtlServer::peer, audit);
    }

    static CtlServer start(Path folder, List<String> names, Map<String, Verb> verbs,
            Function<SocketChannel, UserPrincipal> peer, Audit audit) throws IOException {
        UserPrincipalLookupService users = folder.getFileSystem().getUserPrincipalLookupService();
        UserPrincipal own = Files.getOwner(Path.of("/proc/self"));
        Set<UserPrincipal> admins = new HashSet<>(Set.of(own));
        admins.add(users.lookupPrincipalByName("0"));
        int alone = admins.size();
        for (String name : names) {
            try {
                admins.add(users.lookupPrincipalByName(name));
            } catch (IOException e) {
                throw new IllegalArgumentException("admin=" + Redaction.quote(name) + " is no user of this host", e);
            }
        }
        CtlServer server = new CtlServer(folder, admins, admins.size() > alone, verbs, peer, audit);
        server.thread.start();
        return server;
    }

    /** Returns where the socket is. */
    public Path path() {
        return path;
    }

    private static UserPrincipal peer(SocketChannel socket) {
        try {
            return socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("all", "the kernel does not say who asks: {}", e.toString());
            return null;
        }
    }

    /** Makes the socket in a folder that nobody else enters, so that it has its mode when it is found. */
    private Object bear(Path folder, String mode) throws IOException {
        int bytes = path.toString().getBytes().length;
        if (bytes > MOST_PATH_BYTES) {
            throw new IOException("path=" + path + " of a socket has bytes=" + bytes + ", limit=" + MOST_PATH_BYTES);
        }
        Path cradle = Files.createTempDirectory(folder, ".ctl"); // mode 0700
        try {
            Path born = cradle.resolve("s");
            socket.bind(UnixDomainSocketAddress.of(born), MOST_AT_A_TIME);
            Files.setPosixFilePermissions(born, PosixFilePermissions.fromString(mode));
            Object made = keyOf(born);
            Files.move(born, path, StandardCopyOption.ATOMIC_MOVE);
            return made;
        } finally {
            Files.deleteIfExists(cradle.resolve("s"));
            Files.delete(cradle);
        }
    }

    private static Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, "unix:fileKey", LinkOption.NOFOLLOW_LINKS).get("fileKey");
    }

    private void run() {
        while (socket.isOpen()) {
            try {
                enter(socket.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOG.warn("all", "{}: {}", path, e.toString());
                pause();
            }
        }
    }

    /** Descriptors may be spent: what cannot be accepted now cannot be at once. */
    private static void pause() {
        try {
            Thread.sleep(PATIENCE_MS / 20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void enter(SocketChannel from) throws IOException {
        UserPrincipal user = peer.apply(from);
        if (user == null || !admins.contains(user) || !places.tryAcquire()) {
            boolean stranger = user == null || !admins.contains(user);
            String why = stranger ? "user=" + name(user) + " is none of the router's admins"
                    : "questions at a time=" + MOST_AT_A_TIME;
            audit.write(null, "ctl", stranger ? Refusal.WRONG_USER : Refusal.BUSY, why);
            try (Talk talk = new Talk(from)) {
                talk.write("refused: " + why + "\n", 0);
            }
            return;
        }
        Thread made = new Thread(() -> {
            try (Talk talk = new Talk(from)) {
                answer(user, talk);
            } catch (IOException e) {
                LOG.debug(name(user), "user={}: {}", name(user), e.toString());
            } finally {
                talking.remove(Thread.currentThread());
                places.release();
            }
        }, "jvrpc-router-ctl-answer");
        made.setDaemon(true);
        talking.add(made);
        made.start();
    }

    private static String name(UserPrincipal user) {
        return user == null ? "unknown" : Redaction.quote(user.getName());
    }

    private void answer(UserPrincipal user, Talk talk) throws IOException {
        String line = talk.read(true, MOST_LINE, PATIENCE_MS);
        String[] words = line.split(" ", 2);
        Verb verb = verbs.get(words[0]);
        audit.write(null, "ctl", verb == null ? Refusal.BAD_FRAME : null, "user=" + name(user) + " asks="
                + Redaction.quote(line));
        String answer;
        try {
            if (verb == null) {
                throw new IllegalArgumentException("verb=" + Redaction.quote(words[0]) + " is none of "
                        + verbs.keySet().stream().sorted().toList());
            }
            answer = OK + verb.run(words.length > 1 ? words[1] : "", talk::isThere);
        } catch (IOException | RuntimeException e) {
            answer = "refused: " + String.valueOf(e.getMessage()).replace('\n', ' ') + "\n";
        } catch (InterruptedException e) {
            answer = "refused: the router ends\n";
        }
        talk.write(answer, PATIENCE_MS);
    }

    /** Takes the socket away; questions under way end soon. Idempotent. */
    @Override
    public void close() {
        try {
            socket.close();
            if (Objects.equals(key, keyOf(path))) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("all", "{} is gone already", path);
        } catch (IOException e) {
            LOG.warn("all", "taking {} away: {}", path, e.toString());
        }
        talking.forEach(Thread::interrupt);
    }
}
