package org.jvrpc.router;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** A router of this process's user, with tenants whose devices are in this process, too. Any thread. */
public final class TestRouter implements AutoCloseable {

    public static final String HOST = "here";

    /** As usual, but with room for a region of more than 2 GiB. */
    private static final Quota ROOMY = new Quota(64, 4096, 4096, 2046, 4L << 30, 1024, 64, 0, 0, 1_000_000, 10);

    private final AtomicInteger ports = new AtomicInteger(1000);
    private final Path folder;
    private final FixedView view;
    private final String host;
    private final List<String> audited = new CopyOnWriteArrayList<>();
    private final RouterServer server;

    static {
        System.setProperty("jvrpc.router.patience.ms", "10000"); // a busy machine is no tenant with a lease
        System.setProperty("jvrpc.softrnic.ackTimeout", "17"); // nor are routers that have no processor gone
        System.setProperty("jvrpc.softrnic.connect.ms", "1000"); // both QPs of a test are connected by one thread
    }

    /** Starts one. @param folder that is this user's, and empty */
    public TestRouter(Path folder, String... tenants) {
        this(folder, new FixedView(), HOST, null, 0, tenants);
    }

    /** Starts one of several hosts. @param first index of the first tenant's address */
    TestRouter(Path folder, FixedView view, String host, RouterServer.Abroad abroad, int first, String... tenants) {
        this.folder = folder;
        this.view = view;
        this.host = host;
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path parent = Files.createDirectory(folder.resolve("tenants"));
            Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
            for (int i = 0; i < tenants.length; i++) {
                prepare(new TenantId(tenants[i]), List.of(new VirtualAddress("10.77.0." + (first + i + 1))));
            }
            server = RouterServer.start(new RouterServer.Settings(folder, host, true, Spin.ADAPTIVE, true, abroad),
                    view, (tenant, what, refusal, detail) -> {
                        if (abroad != null) {
                            audited.add(tenant + " " + what + " " + refusal + " " + detail);
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a tenant's folder, its token and its record. */
    public void prepare(TenantId id, List<VirtualAddress> addresses) throws IOException {
        Path own = Files.createDirectory(dir(id.name()));
        Tokens.Made token = Tokens.make(new SecureRandom(), "first", Long.MAX_VALUE);
        Files.writeString(own.resolve("token"), token.token());
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwx---"));
        int user = (int) Files.getAttribute(own, "unix:uid");
        view.put(new TenantRecord(id, user, addresses, ROOMY, List.of(token.hash()), false, 1), host);
    }

    /** Starts another router in the same folder, after the first one was closed. */
    public RouterServer again() throws IOException {
        return RouterServer.start(new RouterServer.Settings(folder, host, true, Spin.ADAPTIVE, true, null), view,
                (tenant, what, refusal, detail) -> { });
    }

    public RouterServer server() {
        return server;
    }

    /** Returns what the audit log of one of several hosts has. */
    List<String> audited() {
        return audited;
    }

    public FixedView view() {
        return view;
    }

    /** Returns the folder by which a tenant comes. */
    public Path dir(String tenant) {
        return folder.resolve("tenants").resolve(tenant);
    }

    /** Opens a device of a tenant. */
    public Device open(String tenant) {
        return Devices.open("router://10.77.0.1:0?dir=" + dir(tenant));
    }

    /** As {@link #open}, with doorbells that travel by the socket. */
    Device openSlow(String tenant) {
        return Devices.open("router://10.77.0.1:0?path=slow&dir=" + dir(tenant));
    }

    /** Returns an address of a tenant, which is number {@code index} of them, at which nobody listens. */
    public String address(int index) {
        return "router://10.77.0." + (index + 1) + ":" + ports.incrementAndGet();
    }

    @Override
    public void close() {
        server.close();
    }
}
