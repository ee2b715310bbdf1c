package org.jvrpc.tools.router.ctl.verb;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.file.FileStore;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where the control plane is. */
final class Place {

    @ArgGroup(multiplicity = "0..1")
    private Which which;

    /** One of both. */
    static final class Which {

        @Option(names = "--control", paramLabel = "zk://HOST:PORT,.../CLUSTER?auth-file=FILE&trust-file=FILE",
                description = "An ensemble of ZooKeeper; by default what JVRPC_CONTROL says.")
        private String control;

        @Option(names = "--file", paramLabel = "FILE", description = "The JSON file of one machine.")
        private Path file;
    }

    boolean isFile() {
        return which != null && which.file != null;
    }

    private Ensemble ensemble() {
        String text = which != null ? which.control : System.getenv("JVRPC_CONTROL");
        if (text == null) {
            throw new IllegalArgumentException("where is the control plane? --control zk://... or --file FILE");
        }
        return Ensemble.parse(text);
    }

    /** @throws IllegalArgumentException when it is not said, or wrongly. @throws IOException when it is not there */
    ControlStore open() throws IOException, InterruptedException {
        return isFile() ? new FileStore(which.file) : new ZooKeeperStore(ensemble());
    }
}
