package org.jvrpc.samples.cookbook.networks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.router.Quota;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.file.FileStore;
import org.jvrpc.router.control.file.FileView;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Two tenants of one host call each other through its router, as far as a rule allows it. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Routers {

    private Routers() {
    }

    // snippet begins
    @RpcService
    public interface Ledger {
        long balance(String account);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("jvrpc-cookbook-router");
        try {
            prepare(folder);
            call(folder);
        } finally {
            delete(folder);
        }
    }

    /** Makes what the operator of a host makes: the router's folder, tenants, and who may reach whom. */
    private static void prepare(Path folder) throws IOException, InterruptedException {
        open(folder, "rwxr-xr-x");
        open(Files.createDirectory(folder.resolve("tenants")), "rwx--x--x");
        try (FileStore store = new FileStore(folder.resolve("control.json"))) { // as jvrpc router ctl writes it
            store.init();
            tenant(store, folder, "bank", "10.77.0.1");
            tenant(store, folder, "shop", "10.77.0.2");
            store.change("shop may call bank", Edits.addRule(
                    new Rule(new TenantId("shop"), new TenantId("bank"), 7471, 7471, true), 0));
        }
    }

    private static void call(Path folder) throws IOException {
        RouterServer.Settings settings = new RouterServer.Settings(folder, "here", true, true, true);
        try (FileView control = new FileView(folder.resolve("control.json"), "here"); // as jvrpc router run
             RouterServer router = RouterServer.start(settings, control, (tenant, what, refusal, detail) -> { });
             RpcServer bank = RpcServer.builder().bind(address(folder, "bank", 7471))
                     .service(Ledger.class, account -> account.length()).start();
             RpcClient shop = RpcClient.connect(address(folder, "shop", 7471))) {
            System.out.println(shop.stub(Ledger.class).balance("savings"));
            System.out.println("tenants at the router: " + router.status().tenants().size());
            RpcClient.connect(address(folder, "shop", 7472)).close(); // no rule allows that port
        } catch (RpcException e) {
            System.out.println(e.status());
        }
    }

    /** Makes a tenant: its record, and its folder, which a container has mounted, with its token. */
    private static void tenant(FileStore store, Path folder, String name, String address)
            throws IOException, InterruptedException {
        Path own = Files.createDirectory(folder.resolve("tenants").resolve(name));
        Tokens.Made token = Tokens.make(new SecureRandom(), "first", Long.MAX_VALUE);
        Files.writeString(own.resolve("token"), token.token());
        open(own, "rwxrwx---");
        TenantId id = new TenantId(name);
        store.change("create " + name, Edits.create(id, (int) Files.getAttribute(own, "unix:uid"),
                List.of(new VirtualAddress(address)), Quota.DEFAULT));
        store.change("token of " + name, Edits.addToken(id, token.hash()));
    }

    /** Returns the bank's address, as a tenant with this folder says it. */
    private static String address(Path folder, String tenant, int port) {
        return "router://10.77.0.1:" + port + "?dir=" + folder.resolve("tenants").resolve(tenant);
    }

    private static void open(Path folder, String rights) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    }
    // snippet ends

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
