package org.jvrpc.router.tenant;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.TenantRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tenant's folder: its devices' folders, and the socket by which they come. It is the tenant's own, so everything in
 * it may change its name at any moment, and is reached from what is open. Any thread.
 */
public final class TenantFolder implements AutoCloseable {

    /** Name of the router's socket. */
    public static final String SOCKET = "s";

    private static final Logger LOG = LoggerFactory.getLogger(TenantFolder.class);
    private static final int OTHERS = 07;
    private static final int MANY = 1024;
    /** What the kernel shows for users of other name spaces that have no number in this one. */
    private static final int NOBODY = 65_534;

    private final OpenFolder parent;
    private final OpenFolder folder;
    private final TenantId tenant;
    private final int user;
    private final UserPrincipal owner;
    private final Slowly slowly;
    private Object socket;

    private TenantFolder(OpenFolder parent, OpenFolder folder, TenantRecord tenant, long patienceMs) {
        this.parent = parent;
        this.folder = folder;
        this.tenant = tenant.id();
        this.user = tenant.user();
        this.owner = folder.owner();
        this.slowly = new Slowly(tenant.id(), patienceMs);
    }

    static TenantFolder open(OpenFolder parent, TenantRecord tenant, long patienceMs) {
        if (tenant.user() == NOBODY) {
            throw new RefusedException(Refusal.WRONG_USER, "tenant=" + tenant.id() + " user=" + NOBODY
                    + " is what users of other name spaces are seen as: nobody can be told from anybody by it");
        }
        OpenFolder folder = parent.open(tenant.id().name());
        try {
            Descriptors.Facts facts = folder.facts();
            if (facts.user() != tenant.user()) {
                throw new RefusedException(Refusal.WRONG_USER, "tenant=" + tenant.id() + " folder=" + folder.name()
                        + " belongs to uid=" + facts.user() + ", the tenant's is uid=" + tenant.user());
            }
            if ((facts.permissions() & OTHERS) != 0) {
                throw OpenFolder.refused(folder.name(), "mode=" + TenantFolders.octal(facts)
                        + ", must be 2770: it is the wall around the tenant's memory");
            }
            return new TenantFolder(parent, folder, tenant, patienceMs);
        } catch (RefusedException e) {
            folder.close();
            throw e;
        }
    }

    public TenantId tenant() {
        return tenant;
    }

    /** Returns the number of the user whose folder it is. */
    int user() {
        return user;
    }

    /** Returns what does the work that the tenant can make slow. */
    Slowly slowly() {
        return slowly;
    }

    /** Returns the path by which the folder was opened, for messages. */
    public String name() {
        return folder.name();
    }

    /** Tells whether its files lie on a file system that is the tenant's alone, as far as its neighbours go. */
    boolean hasOwnFileSystem() {
        return folder.facts().device() != parent.facts().device();
    }

    /** Tells whether the folder is still what its name stands for: not after a mount or its end. */
    public boolean isThere() {
        try {
            return Objects.equals(Descriptors.at(parent.place().resolve(tenant.name())).key(), folder.facts().key());
        } catch (IOException e) {
            return false;
        }
    }

    /** Refuses whoever is another user than the folder's. @param peer as the kernel says; null: it is not known */
    public void check(UserPrincipal peer) {
        if (!owner.equals(peer)) {
            throw new RefusedException(Refusal.WRONG_USER, "tenant=" + tenant + " user=" + owner.getName()
                    + ", who came is user=" + (peer == null ? "unknown" : peer.getName()));
        }
    }

    /** Opens a device's folder. @throws RefusedException FOLDER */
    DeviceFiles device(String name) {
        return DeviceFiles.open(this, folder, name);
    }

    /**
     * Puts the router's socket there, in place of an old one. It is born in a folder that the tenant cannot enter,
     * where it gets its mode: a tenant that swaps links meanwhile finds nothing to swap.
     *
     * @throws RefusedException FOLDER
     */
    public ServerSocketChannel listen() {
        String cradle = "." + SOCKET + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            Files.createDirectory(folder.place().resolve(cradle),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try (OpenFolder born = folder.open(cradle)) {
                bear(channel, born);
            } finally {
                Files.delete(folder.place().resolve(cradle));
            }
            return channel;
        } catch (IOException | RefusedException e) {
            close(channel);
            throw e instanceof RefusedException refused ? refused : OpenFolder.refused(folder.name(), e);
        }
    }

    private void bear(ServerSocketChannel channel, OpenFolder born) throws IOException {
        Descriptors.Facts facts = born.facts();
        if (facts.user() != Descriptors.ownUser() || (facts.permissions() & 077) != 0) {
            throw OpenFolder.refused(born.name(), "was exchanged: owner uid=" + facts.user() + " mode="
                    + TenantFolders.octal(facts));
        }
        Path path = born.place().resolve(SOCKET);
        channel.bind(UnixDomainSocketAddress.of(path), MANY);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        socket = Descriptors.at(path).key();
        try {
            Files.move(path, folder.place().resolve(SOCKET), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.delete(path);
            throw e;
        }
    }

    private static void close(ServerSocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("closing a socket: {}", e.toString());
        }
    }

    /** Takes the socket's name away, and lets go of the folder. */
    @Override
    public void close() {
        slowly.close();
        try {
            if (socket != null && socket.equals(
                    Files.readAttributes(folder.place().resolve(SOCKET), "unix:fileKey", LinkOption.NOFOLLOW_LINKS)
                            .get("fileKey"))) {
                Files.delete(folder.place().resolve(SOCKET));
            }
        } catch (NoSuchFileException e) {
            LOG.debug("the socket of {} is gone already", folder.name());
        } catch (IOException e) {
            LOG.warn("cannot delete the socket of {}: {}", folder.name(), e.toString());
        } finally {
            folder.close();
        }
    }
}
