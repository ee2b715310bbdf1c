package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.testing.Waits;

/** A host with tenants' folders, all of this process's user, and a control plane that is the test's. */
final class Ground implements ControlView, AutoCloseable {

    static final TenantId RED = new TenantId("red");
    static final String DEVICE = "d-1-a";
    static final Quota QUOTA = new Quota(2, 4, 4, 4, 1 << 20, 4, 4, 0, 0, 0, 10);

    final Path parent;
    final AtomicLong nowMs = new AtomicLong(Instant.parse("2027-01-01T00:00:00Z").toEpochMilli());
    final Tokens.Made token = Tokens.make(new SecureRandom(), "t1", nowMs.get() + 1_000);
    final Tenants tenants;
    TenantRecord red;
    private final List<AutoCloseable> locks = new ArrayList<>();

    Ground(Path folder) throws IOException {
        parent = Files.createDirectory(folder.resolve("tenants"), mode("rwxr-xr-x"));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(home(), mode("rwxrwx---"));
        record(QUOTA, false);
        tenants = new Tenants(TenantFolders.open(parent, 60_000), this, nowMs::get);
    }

    private static FileAttribute<?> mode(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    void record(Quota quota, boolean revoked) {
        red = new TenantRecord(RED, user(), List.of(new VirtualAddress("10.77.0.5")), quota, List.of(token.hash()),
                revoked, 1);
    }

    static int user() {
        try {
            return Descriptors.ownUser();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path home() {
        return parent.resolve("red");
    }

    static UserPrincipal self() throws IOException {
        return Files.getOwner(Path.of("/proc/self"));
    }

    /** Makes a device's folder with a lock that nobody holds. */
    Path device(String name) throws IOException {
        Path device = Files.createDirectory(home().resolve(name));
        Files.createFile(device.resolve("lock"));
        return device;
    }

    /** Holds a device's lock, as its process does while it lives. */
    FileLock hold(Path device) throws IOException {
        FileChannel channel = FileChannel.open(device.resolve("lock"), StandardOpenOption.WRITE);
        locks.add(channel);
        return channel.lock(0, 1, false);
    }

    static Path slab(Path device, int number, int bytes) throws IOException {
        return Files.write(device.resolve(Integer.toString(number)), new byte[bytes]);
    }

    Hello hello(String device, String secret) {
        return new Hello(ControlFrame.VERSION, ControlFrame.VERSION, 0, device, Tokens.bytes(secret));
    }

    Device admit() throws IOException {
        return admit(self(), hello(DEVICE, token.token()));
    }

    Device admit(UserPrincipal peer, Hello hello) {
        return (Device) get(tenants.admit(RED, peer, hello));
    }

    /** Waits for a result; throws what it fails by. */
    static <T> T get(CompletableFuture<T> result) {
        try {
            return result.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : e;
        }
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public long confirmedNs() {
        return System.nanoTime();
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return id.equals(RED) ? red : null;
    }

    @Override
    public Home home(VirtualAddress address) {
        return null;
    }

    @Override
    public RouterRecord router(String host) {
        return null;
    }

    @Override
    public List<Rule> rules() {
        return List.of();
    }

    @Override
    public String trouble() {
        return null;
    }

    @Override
    public void listen(Changes changes) {
    }

    @Override
    public void close() {
        tenants.close();
        for (AutoCloseable lock : locks) {
            try {
                lock.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
