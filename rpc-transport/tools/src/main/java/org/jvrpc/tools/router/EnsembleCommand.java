package org.jvrpc.tools.router;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.router.control.embedded.EnsembleServer;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jvrpc router ensemble}: one server of ZooKeeper for one machine. */
@Command(name = "ensemble",
        description = {"Runs one server of ZooKeeper, on the loopback address, until SIGTERM or ^C: for routers of one"
                + " machine. Several machines want an ensemble of their own.",
            "The first start draws passwords, a key and a certificate into DIR, which is its user's alone: the"
                + " administrator's in DIR/users/admin.auth, each host's in DIR/users/HOST.auth, which is for that"
                + " host's router. None of them is printed.",
            "Exit code 0 when it ended as it was asked to; 2 for wrong arguments; 3 when it cannot begin."})
public final class EnsembleCommand implements Callable<Integer> {

    private static final long END_MS = 20_000;
    private static final int FILL_MS = 60_000;

    @Option(names = "--dir", paramLabel = "DIR", required = true, description = "Where all of it is; made, mode 0700.")
    private Path folder;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "2281",
            description = "By default ${DEFAULT-VALUE}; 0: any.")
    private int port;

    @Option(names = "--bind", paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
            description = "Where it is; by default ${DEFAULT-VALUE}. Elsewhere, routers of other hosts reach it, too:"
                + " whoever does needs TLS and a user's password.")
    private InetAddress bind;

    @Option(names = "--cluster", paramLabel = "NAME", defaultValue = "main",
            description = "Which cluster is made in it; by default ${DEFAULT-VALUE}.")
    private String cluster;

    @Option(names = "--hosts", paramLabel = "HOST", split = ",", defaultValue = "",
            description = "Hosts that are made known, besides those that are.")
    private List<String> hosts;

    @Spec
    private CommandSpec spec;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public Integer call() {
        Thread hook = new Thread(this::end, "jvrpc-ensemble-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            List<String> named = hosts.stream().filter(host -> !host.isEmpty()).toList();
            EnsembleFolder files = EnsembleFolder.open(folder, named, bind);
            try (EnsembleServer server = EnsembleServer.start(files, bind, port)) {
                fill(server, files);
                tell(server, files);
                asked.await();
            }
            return 0;
        } catch (IllegalArgumentException e) {
            return complain(e.getMessage(), 2);
        } catch (IOException e) {
            return complain(e.getMessage(), 3);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 3;
        } finally {
            ended.countDown();
            removeHook(hook);
        }
    }

    private int complain(String what, int code) {
        spec.commandLine().getErr().println("jvrpc router ensemble: " + what);
        spec.commandLine().getErr().flush();
        return code;
    }

    private void fill(EnsembleServer server, EnsembleFolder files) throws IOException, InterruptedException {
        // Nobody else waits for this: a slow machine may take its time for the first handshake.
        String admin = server.control(cluster, EnsembleFolder.ADMIN) + "&session-ms=" + FILL_MS;
        try (ZooKeeperStore store = new ZooKeeperStore(Ensemble.parse(admin))) {
            store.init();
            for (String host : files.hosts()) {
                store.addHost(host);
            }
        }
    }

    private void tell(EnsembleServer server, EnsembleFolder files) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("ensemble at " + server.address() + ", process " + ProcessHandle.current().pid());
        out.println("administrator: --control '" + server.control(cluster, EnsembleFolder.ADMIN) + "'");
        for (String host : files.hosts()) {
            out.println("host " + host + ": --control '" + server.control(cluster, host) + "'");
        }
        out.flush();
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
