package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl token}. */
@Command(name = "token", description = {"Makes a token of a tenant, and tells it once: only its hash is kept.",
    "Or removes one: whoever is in stays in, and comes back by another one only."})
public final class TokenCommand extends CtlVerb {

    private static final int MOST_DAYS = 3650;

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--id", paramLabel = "NAME", description = "How people call it; by default the time.")
    private String id;

    @Option(names = "--days", paramLabel = "N", defaultValue = "90",
            description = "How long it is good; by default ${DEFAULT-VALUE}.")
    private int days;

    @Option(names = "--out", paramLabel = "FILE",
            description = "Write it to a new file, mode 0400, instead of printing it.")
    private Path out;

    @Option(names = "--remove", paramLabel = "NAME", description = "Remove this one instead.")
    private String remove;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId who = new TenantId(tenant);
        if (remove != null) {
            store.change("remove token=" + remove + " of tenant=" + who, Edits.removeToken(who, remove));
            say("token " + remove + " is removed", new JsonObject().text("removed", remove));
            return 0;
        }
        if (days < 1 || days > MOST_DAYS) {
            throw new IllegalArgumentException("days=" + days + ", range 1 to " + MOST_DAYS);
        }
        Instant end = Instant.now().plus(Duration.ofDays(days));
        String name = id == null ? Instant.now().toString() : id;
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._:-]{0,62}")) {
            throw new IllegalArgumentException("id=" + name + " is not [A-Za-z0-9][A-Za-z0-9._:-]{0,62}");
        }
        Tokens.Made made = Tokens.make(new SecureRandom(), name, end.toEpochMilli());
        tenant(store.read(), who);
        if (out != null) {
            write(made.token());
        }
        try {
            store.change("token=" + name + " of tenant=" + who + " until " + end, Edits.addToken(who, made.hash()));
        } catch (IOException | IllegalArgumentException e) {
            if (out != null) {
                Files.delete(out);
            }
            throw e;
        }
        JsonObject json = new JsonObject().text("id", name).text("notAfter", end.toString());
        if (out != null) {
            say("token " + name + " until " + end + " is in " + out, json.text("file", out.toString()));
        } else {
            say(made.token(), json.text("token", made.token()));
        }
        return 0;
    }

    private void write(String token) throws IOException {
        try {
            Files.createFile(out, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            throw new IOException(out + " is there already", e);
        }
        Files.writeString(out, token + "\n", StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("r--------"));
    }
}
