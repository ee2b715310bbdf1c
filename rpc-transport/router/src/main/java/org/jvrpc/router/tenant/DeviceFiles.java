package org.jvrpc.router.tenant;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.audit.Redaction;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;

/** The folder of a device of a tenant. Any thread. */
final class DeviceFiles implements AutoCloseable {

    private static final Set<OpenOption> READ_WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final TenantFolder tenant;
    private final OpenFolder folder;
    private final long device;

    private DeviceFiles(TenantFolder tenant, OpenFolder folder, long device) {
        this.tenant = tenant;
        this.folder = folder;
        this.device = device;
    }

    static DeviceFiles open(TenantFolder tenant, OpenFolder parent, String name) {
        if (!ShmDirectory.isDeviceName(name)) {
            throw OpenFolder.refused(tenant.name(), "device=" + Redaction.quote(name)
                    + " is no name of a device's folder");
        }
        OpenFolder folder = parent.open(name);
        try {
            Descriptors.Facts facts = folder.facts();
            long device = parent.facts().device();
            if (facts.user() != tenant.user() || facts.device() != device) {
                throw OpenFolder.refused(folder.name(), "owner uid=" + facts.user() + ", the tenant's is uid="
                        + tenant.user() + "; of file system=" + facts.device() + ", the tenant's is " + device);
            }
            return new DeviceFiles(tenant, folder, device);
        } catch (RefusedException e) {
            folder.close();
            throw e;
        }
    }

    String name() {
        return folder.name();
    }

    /** Returns how many bytes are used of the file system that it lies on. */
    long usedBytes() {
        File place = folder.place().toFile();
        return place.getTotalSpace() - place.getFreeSpace();
    }

    /** Returns how many bytes are free of that. */
    long freeBytes() {
        return folder.place().toFile().getFreeSpace();
    }

    /**
     * Opens a slab's file, of the tenant's own, that has this one name, and is as long as it must be. To be called by
     * {@link Slowly}.
     */
    FileChannel open(int number, long length) throws IOException {
        String name = Integer.toString(number);
        FileChannel channel = open(name);
        long size = channel.size();
        if (size < length) {
            channel.close();
            throw refused(name, "bytes=" + size + ", said were bytes=" + length);
        }
        return channel;
    }

    /** Opens the file that the device's process has a lock of, see {@link OwnerLock}. */
    FileChannel openLock() throws IOException {
        return open("lock");
    }

    private FileChannel open(String name) throws IOException {
        for (int i = 0; i < Descriptors.TRIES; i++) {
            FileChannel channel = open(name, look(name));
            if (channel != null) {
                return channel;
            }
        }
        throw refused(name, "is another one whenever it is opened");
    }

    /** Returns what a file is that may be opened. */
    Descriptors.Facts look(String name) throws IOException {
        Descriptors.Facts facts = Descriptors.at(folder.place().resolve(name));
        check(name, facts);
        return facts;
    }

    /** Opens a file; returns null when it is not the one that was looked at, or that cannot be told. */
    FileChannel open(String name, Descriptors.Facts looked) throws IOException {
        FileChannel channel = null;
        boolean good = false;
        try (Descriptors.Mark mark = Descriptors.mark()) {
            channel = FileChannel.open(folder.place().resolve(name), READ_WRITE);
            good = mark.since(looked.key()) != null;
            return good ? channel : null;
        } finally {
            if (!good && channel != null) {
                channel.close();
            }
        }
    }

    private void check(String name, Descriptors.Facts facts) {
        if (!facts.isFile() || facts.links() != 1 || facts.user() != tenant.user() || facts.device() != device) {
            throw refused(name, "is a file=" + facts.isFile() + " links=" + facts.links() + " owner uid="
                    + facts.user() + " file system=" + facts.device() + "; must be a file with one link, of uid="
                    + tenant.user() + ", of file system=" + device);
        }
    }

    private RefusedException refused(String name, String why) {
        return OpenFolder.refused(folder.name(), "file=" + name + ": " + why);
    }

    @Override
    public void close() {
        folder.close();
    }
}
