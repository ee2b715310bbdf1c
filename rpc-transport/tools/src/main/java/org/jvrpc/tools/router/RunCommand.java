package org.jvrpc.tools.router;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.Spin;
import org.jvrpc.router.audit.AuditLog;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.ctl.CtlServer;
import org.jvrpc.router.ctl.StatusText;
import org.jvrpc.router.ctl.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc router run}: the router of this host, until it is asked to end. */
@Command(name = "run",
        description = {"Runs this host's router until SIGTERM or ^C.",
            "Its folder has the folder 'tenants', in which each tenant has one of its own: of the tenant's user,"
                + " group of the router's, mode 2770, best a tmpfs of its own. That folder alone goes into the tenant's"
                + " container, as /run/jvrpc.",
            "Exit code 0 when it ended as it was asked to; 1 when something of it did not end in time; 2 for wrong"
                + " arguments or a control file with mistakes; 3 when it cannot begin: what is said has its cure."})
final class RunCommand implements Callable<Integer> {

    private static final long END_MS = 25_000;
    private static final long LOOK_MS = 50;
    private static final int MOST_DRAIN_SECONDS = 3600;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = RouterCommand.FOLDER,
            description = "The router's folder; by default ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--file", paramLabel = "FILE",
            description = "What the control plane says, as JSON: tenants, addresses, rules. It is read anew when it"
                + " changes.")
    private Path file;

    @Option(names = "--control", paramLabel = "ADDRESS",
            description = "Instead of a file, an ensemble of ZooKeeper: zk://host:port[,host:port]/CLUSTER"
                + "[?auth-file=FILE&trust-file=FILE]; 'jvrpc router ctl' changes what it says.")
    private String control;

    @Option(names = "--host", paramLabel = "NAME",
            description = "Name of this host in the control plane; by default as the kernel has it.")
    private String host;

    @Option(names = "--spin", paramLabel = "HOW", defaultValue = "adaptive",
            description = "How the router waits for busy tenants: always (a processor is its own), adaptive, or never"
                + " (tenants ring by their sockets); by default ${DEFAULT-VALUE}.")
    private String spin;

    @Option(names = "--audit", paramLabel = "FILE",
            description = "Where the audit log is, mode 0600; by default audit.log in DIR.")
    private Path audit;

    @Option(names = "--admins", split = ",", paramLabel = "USER",
            description = "Users, or their numbers, who may use show, drain and accept-older besides this user and"
                + " root.")
    private List<String> admins = List.of();

    @Mixin
    private AbroadOptions abroad;

    @Option(names = "--allow-root", description = "Run as root, which no host of others' programs should do.")
    private boolean allowRoot;

    @Spec
    private CommandSpec spec;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public Integer call() {
        RouterServer.Settings settings = settings();
        try {
            List<String> complaints = StartChecks.ofThisProcess(folder, allowRoot);
            complaints.forEach(this::complain);
            if (!complaints.isEmpty()) {
                return 3;
            }
            makeTenants();
        } catch (IOException | IllegalArgumentException e) {
            complain(e.toString());
            return 3;
        }
        Thread hook = new Thread(this::end, "jvrpc-router-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try (ControlPlane plane = plane(settings.host())) {
            return run(settings, plane);
        } catch (IOException | RefusedException e) {
            complain(e.getMessage());
            return 3;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            ended.countDown();
            removeHook(hook);
        }
    }

    private void complain(String what) {
        spec.commandLine().getErr().println("jvrpc router run: " + what);
        spec.commandLine().getErr().flush();
    }

    private RouterServer.Settings settings() {
        if (file == null == (control == null)) {
            throw new ParameterException(spec.commandLine(), "--file FILE or --control zk://…, one of them, says what"
                    + " the control plane is");
        }
        Spin chosen;
        try {
            chosen = Spin.valueOf(spin.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--spin=" + spin + " is none of always, adaptive, never",
                    e);
        }
        String name = host == null ? ownName() : host;
        try {
            return new RouterServer.Settings(folder.toAbsolutePath().normalize(), name, true, chosen, allowRoot,
                    abroad.settings(name));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static String ownName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            throw new IllegalStateException("the kernel does not say this host's name", e);
        }
    }

    private ControlPlane plane(String name) throws IOException, InterruptedException {
        try {
            return file != null ? ControlPlane.ofFile(file, name) : ControlPlane.ofEnsemble(control, name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), (file != null ? "--file " : "--control: ")
                    + e.getMessage(), e);
        }
    }

    /** Tenants' folders are entered by their names only: who has which is nobody's matter. */
    private void makeTenants() throws IOException {
        try {
            Path tenants = Files.createDirectory(folder.resolve("tenants"));
            Files.setPosixFilePermissions(tenants, PosixFilePermissions.fromString("rwx--x--x"));
        } catch (FileAlreadyExistsException e) {
            return; // whose it is and what mode it has is looked at when it is opened
        }
    }

    private int run(RouterServer.Settings settings, ControlPlane plane) throws IOException, InterruptedException {
        Path log = audit == null ? folder.resolve("audit.log") : audit;
        try (AuditLog audited = new AuditLog(log);
                RouterServer server = RouterServer.start(settings, plane.view(), audited);
                CtlServer ctl = ctl(settings, server, plane, audited)) {
            audited.write(null, "start", null, "host=" + settings.host() + " pid=" + ProcessHandle.current().pid());
            plane.announcing().accept(abroad.record(settings.host(), server, false));
            PrintWriter out = spec.commandLine().getOut();
            out.println("router of host " + settings.host() + " serves " + settings.folder() + "/tenants, process "
                    + ProcessHandle.current().pid() + ", control plane's epoch " + plane.view().epoch()
                    + ", audit log " + log + ", asked at " + ctl.path()
                    + (server.control() == null ? "" : ", peers at port " + server.control().getPort())
                    + (server.data() == null ? "" : ", below " + server.data()));
            out.flush();
            plane.ended().thenRun(asked::countDown);
            asked.await();
            String why = plane.ended().getNow(null);
            audited.write(null, "stop", null, "host=" + settings.host() + (why == null ? "" : " " + why));
            if (why != null) {
                complain(why);
            }
            return why == null ? 0 : 3;
        }
    }

    private CtlServer ctl(RouterServer.Settings settings, RouterServer server, ControlPlane plane, AuditLog audited)
            throws IOException {
        Map<String, Verb> verbs = Map.of(
                "show", (words, waits) -> words.equals("json") ? StatusText.json(server.status())
                        : StatusText.table(server.status()),
                "drain", (words, waits) -> {
                    boolean stop = words.equals("stop");
                    server.drain(!stop);
                    plane.announcing().accept(abroad.record(settings.host(), server, !stop));
                    return left(server, stop ? "" : words, waits);
                },
                "accept-older", (words, waits) -> acceptOlder(plane, audited, words.equals("json")));
        try {
            return CtlServer.start(folder.toAbsolutePath().normalize(), admins, verbs, audited);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--admins: " + e.getMessage(), e);
        }
    }

    private static String acceptOlder(ControlPlane plane, AuditLog audited, boolean json)
            throws IOException, InterruptedException {
        OlderMap.Accepted accepted = plane.older().accept();
        audited.write(null, "older", null, "known epoch=" + accepted.before() + " accepted epoch=" + accepted.now());
        return (json ? new JsonObject().number("before", accepted.before()).number("now", accepted.now()).toString()
                : "known was epoch=" + accepted.before() + ", gone by is epoch=" + accepted.now()) + "\n";
    }

    /** @param words for how many seconds it waits for devices to leave; returns how many are left */
    private static String left(RouterServer server, String words, BooleanSupplier waits)
            throws IOException, InterruptedException {
        long seconds = words.isEmpty() ? 0 : Long.parseLong(words);
        if (seconds < 0 || seconds > MOST_DRAIN_SECONDS) {
            throw new IllegalArgumentException("seconds=" + seconds + " is not within 0 to " + MOST_DRAIN_SECONDS);
        }
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int left = server.counts().devices();
        while (left > 0 && System.nanoTime() - endNs < 0 && waits.getAsBoolean()) {
            Thread.sleep(LOOK_MS);
            left = server.counts().devices();
        }
        return "devices=" + left + "\n";
    }

    /** Ends the process with 0 when all has ended: a signal alone would leave 143. */
    private void end() {
        asked.countDown();
        try {
            Runtime.getRuntime().halt(ended.await(END_MS, TimeUnit.MILLISECONDS) ? 0 : 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // it is what ended this
        }
    }
}
