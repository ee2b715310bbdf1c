package org.jvrpc.tools.watch.drift;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Desired;
import org.jvrpc.watch.drift.DesiredException;
import org.jvrpc.watch.drift.Differ;
import org.jvrpc.watch.drift.Drift;
import org.jvrpc.watch.drift.FoundFile;
import org.jvrpc.watch.drift.Sightings;
import org.jvrpc.watch.drift.host.HostConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jvrpc drift}. */
@Command(name = "drift", subcommands = IncidentCommand.class,
        description = {"Says where hosts and switches differ from the configuration that is wanted, since when, and"
                + " what would be done about it. It changes nothing.",
            "Exit code 0 when all is as wanted; 1 when something differs; 2 for wrong arguments, or a file that does"
                + " not say rightly what it should; 3 when nothing differs and something could not be read."})
public final class DriftCommand implements Callable<Integer> {

    private static final int DIFFERS = 1;
    private static final int BAD_FILE = 2;
    private static final int UNREADABLE = 3;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "What is wanted, in YAML or JSON.")
    private Path file;

    @Option(names = "--state", paramLabel = "FILE",
            description = "Remember here what was found, so that a later look says since when it is so.")
    private Path state;

    @Option(names = "--found", paramLabel = "FILE",
            description = "Compare what --print printed elsewhere instead of this host; may be repeated.")
    private List<Path> found = new ArrayList<>();

    @Option(names = "--root", paramLabel = "DIR", description = "Read a copy of a host's files below a folder.")
    private Path root;

    @Option(names = "--host", paramLabel = "NAME", description = "The name of this host. Default: its own.")
    private String host;

    @Option(names = "--print", description = "Print what this host has, as JSON, and compare nothing.")
    private boolean print;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final Function<String, List<ConfigurationSource>> here;
    private final Clock clock;

    /** Looks at this host. */
    public DriftCommand() {
        this(HostConfiguration::here, Clock.SYSTEM);
    }

    DriftCommand(Function<String, List<ConfigurationSource>> here, Clock clock) {
        this.here = here;
        this.clock = clock;
    }

    @Override
    public Integer call() {
        if (print == (file != null)) {
            throw new ParameterException(spec.commandLine(), print ? "--print compares nothing: leave the file away"
                    : "which file says what is wanted?");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            int code = print ? print(out, err) : compare(out, err);
            out.flush();
            return code;
        } catch (DesiredException | IOException e) {
            err.println(Shown.plain(e instanceof DesiredException ? e.getMessage() : reason((IOException) e)));
            err.flush();
            return BAD_FILE;
        }
    }

    /** A file's name alone is no reason. */
    private static String reason(IOException e) {
        return e.getClass() == IOException.class ? e.getMessage()
                : e.getMessage() + ": " + e.getClass().getSimpleName().replace("Exception", "");
    }

    private List<ConfigurationSource> sources() throws DesiredException, IOException {
        if (found.isEmpty()) {
            return root == null ? here.apply(name()) : HostConfiguration.of(root, name(), null);
        }
        List<ConfigurationSource> all = new ArrayList<>();
        for (Path one : found) {
            all.addAll(FoundFile.read(one));
        }
        return all;
    }

    private String name() {
        if (host != null) {
            return host;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private int print(PrintWriter out, PrintWriter err) throws DesiredException, IOException {
        List<ConfigurationSource> sources = sources();
        String text;
        try {
            text = FoundFile.write(sources);
        } catch (IOException e) {
            err.println(Shown.plain(e.getMessage()));
            err.flush();
            return UNREADABLE;
        }
        out.println(text);
        return sources.isEmpty() ? nobody(err) : 0;
    }

    private int nobody(PrintWriter err) {
        err.println("No RDMA device was found in /sys/class/infiniband. Cure: load its driver; for one in software:"
                + " modprobe rdma_rxe, rdma link add rxe0 type rxe netdev eth0");
        err.flush();
        return UNREADABLE;
    }

    private int compare(PrintWriter out, PrintWriter err) throws DesiredException, IOException {
        Desired desired = Desired.read(file);
        Sightings sightings = state == null ? new Sightings() : Sightings.read(state);
        List<ConfigurationSource> sources = sources();
        if (sources.isEmpty()) {
            return nobody(err);
        }
        long nowMs = clock.wallMs();
        Drift drift = Differ.look(desired, sources, sightings, nowMs);
        out.println(json ? Shown.json(drift, nowMs) : Shown.text(drift, state != null));
        boolean remembered = state == null || remember(sightings, err);
        boolean nothing = drift.same() == 0 && drift.unreadable().isEmpty();
        return !drift.differences().isEmpty() ? DIFFERS
                : drift.unreadable().isEmpty() && remembered && !nothing ? 0 : UNREADABLE;
    }

    private boolean remember(Sightings sightings, PrintWriter err) {
        try {
            sightings.write(state);
            return true;
        } catch (IOException e) {
            err.println("Not remembered: " + Shown.plain(reason(e)));
            err.flush();
            return false;
        }
    }
}
