package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl prepare}. */
@Command(name = "prepare", description = {"Prints the commands that make a tenant's folder on this host: a tmpfs of its"
        + " own, as large as its quota, of its user and of the router's group. With --apply, as root, does them."})
public final class PrepareCommand extends CtlVerb {

    private static final int SECONDS = 30;

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = "/run/jvrpc",
            description = "The router's folder; by default ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--group", paramLabel = "NUMBER", description = "The router's group; by default that of DIR.")
    private Integer group;

    @Option(names = "--no-tmpfs", description = "A folder only: nothing bounds what a tenant makes of it.")
    private boolean plain;

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantRecord record = tenant(store.read(), new TenantId(tenant));
        List<List<String>> commands = commands(record);
        if (apply) {
            for (List<String> command : commands) {
                execute(command);
            }
        }
        List<String> lines = commands.stream().map(PrepareCommand::line).toList();
        say(String.join("\n", lines), new JsonObject().flag("done", apply).raw("commands", JsonObject.texts(lines)));
        return 0;
    }

    private List<List<String>> commands(TenantRecord record) throws IOException {
        Path own = folder.toAbsolutePath().normalize().resolve("tenants").resolve(record.id().name());
        if (apply && Files.exists(own)) {
            throw new IOException(own + " is there already");
        }
        int routers = group != null ? group : groupOf(folder);
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("mkdir", own.toString()));
        if (!plain) {
            commands.add(List.of("mount", "-t", "tmpfs", "-o", "nosuid,nodev,noexec,mode=2770,size="
                    + record.quota().bytes() + ",uid=" + record.user() + ",gid=" + routers, "jvrpc-" + record.id(),
                    own.toString()));
        }
        commands.add(List.of("chown", record.user() + ":" + routers, own.toString()));
        commands.add(List.of("chmod", "2770", own.toString()));
        return commands;
    }

    private static int groupOf(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("dir=" + folder + " is no folder: --group says the router's group");
        }
        return (int) Files.getAttribute(folder, "unix:gid");
    }

    /** Words of a shell: all that stands in them is a name, a number, or a path of the administrator's. */
    private static String line(List<String> command) {
        List<String> words = command.stream().map(word -> word.matches("[A-Za-z0-9._/,=:-]+") ? word
                : "'" + word.replace("'", "'\\''") + "'").toList();
        return String.join(" ", words);
    }

    private static void execute(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(line(command) + ": " + said);
        }
    }
}
