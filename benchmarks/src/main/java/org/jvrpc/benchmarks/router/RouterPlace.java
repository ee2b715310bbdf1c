package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jvrpc.benchmarks.harness.Walls;
import org.jvrpc.router.tenant.Tokens;

/** The folders, tokens and control file of one router, in a contender's folder. */
public final class RouterPlace {

    /** The name of the host in control files, and of the router's folder: short, as a socket's path has an end. */
    public static final String HOST = "r";

    private static final String NOT_AFTER = "2100-01-01T00:00:00Z";

    private RouterPlace() {
    }

    /** Returns the control file. */
    static Path control(Path folder) {
        return folder.resolve("control.json");
    }

    /** Returns the folder of a host's router. */
    public static Path run(Path folder, String host) {
        return folder.resolve(host);
    }

    /** Returns the folder of a tenant. */
    public static Path tenant(Path folder, Tenant tenant) {
        return run(folder, tenant.host()).resolve("tenants").resolve(tenant.name());
    }

    /** Returns an address as a tenant says it. @param options behind its folder, with their ampersands; may be empty */
    static String address(Path folder, Tenant of, int port, Tenant by, String options) {
        return "router://" + of.address() + ':' + port + "?dir=" + tenant(folder, by) + options;
    }

    /** Makes all that a router needs to begin. */
    static void make(Path folder, List<Tenant> tenants, Users users) throws IOException {
        SecureRandom random = new SecureRandom();
        List<String> records = new ArrayList<>();
        List<String> homes = new ArrayList<>();
        for (Tenant tenant : tenants) {
            Path own = Files.createDirectories(tenant(folder, tenant));
            Tokens.Made token = Tokens.make(random, "bench", Long.MAX_VALUE);
            Path file = Files.writeString(own.resolve("token"), token.token());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
            users.give(file, users.of(tenant.end()), users.of(tenant.end()));
            users.give(own, users.of(tenant.end()), users.of(Walls.THIRD));
            Files.setAttribute(own, "unix:mode", 02770);
            records.add(record(tenant, users.of(tenant.end()), token));
            homes.add("{\"address\": \"" + tenant.address() + "\", \"tenant\": \"" + tenant.name() + "\", \"host\": \""
                    + tenant.host() + "\"}");
        }
        for (String host : tenants.stream().map(Tenant::host).distinct().toList()) {
            Path run = run(folder, host);
            Path parent = run.resolve("tenants");
            users.give(parent, users.of(Walls.THIRD), users.of(Walls.THIRD));
            users.give(run, users.of(Walls.THIRD), users.of(Walls.THIRD));
            Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
            Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.writeString(control(folder), "{\"epoch\": 1, \"tenants\": [" + String.join(",\n", records)
                + "],\n\"homes\": [" + String.join(",\n", homes) + "],\n\"rules\": [{\"allow\": true}]}\n");
    }

    private static String record(Tenant tenant, int user, Tokens.Made token) {
        Base64.Encoder base64 = Base64.getEncoder();
        return "{\"name\": \"" + tenant.name() + "\", \"user\": " + user + ", \"addresses\": [\"" + tenant.address()
                + "\"], \"quota\": {" + tenant.quota() + "}, \"tokens\": [{\"id\": \"" + token.hash().id()
                + "\", \"salt\": \"" + base64.encodeToString(token.hash().salt()) + "\", \"sha256\": \""
                + base64.encodeToString(token.hash().sha256()) + "\", \"notAfter\": \"" + NOT_AFTER + "\"}]}";
    }
}
