package org.jvrpc.benchmarks;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jvrpc.benchmarks.rdma.Link;
import org.jvrpc.benchmarks.rdma.RdmaRun;
import org.jvrpc.benchmarks.rdma.VirtualMachine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Verbs in Java beside C and perftest, calls over {@code rdma://} beside TCP on the same link; where there is no RDMA
 * device, in a virtual machine that it starts. Before that what {@link Svc} measures, which needs no device.
 */
@Command(name = "rdma")
final class Rdma extends BenchCommand {

    static final String SEND = RdmaRun.SEND;
    static final String SEND_C = RdmaRun.SEND_C;
    static final String SEND_GENERIC = RdmaRun.SEND_GENERIC;
    static final String WRITE = RdmaRun.WRITE;
    static final String READ = RdmaRun.READ;
    static final String CAS = RdmaRun.CAS;
    static final String NULL_RPC = RdmaRun.NULL_RPC;
    static final String TCP_BLOCKING = RdmaRun.TCP_BLOCKING;
    static final String TCP_SPINNING = RdmaRun.TCP_SPINNING;

    /** Where the sources are; set by the script. */
    static final String ROOT_PROPERTY = "jvrpc.bench.root";

    /** What needs no device was measured before. */
    @Option(names = "--device-only")
    private boolean deviceOnly;

    @Spec
    private CommandSpec command;

    private final VirtualMachine machine = VirtualMachine.of(Path.of(System.getProperty(ROOT_PROPERTY, ".")));

    @Override
    public Integer call() throws Exception {
        if (!Link.isThere() && !machine.isPossible()) {
            PrintWriter err = command.commandLine().getErr();
            err.println("bench: no RDMA devices " + Link.CLIENT.device() + " and " + Link.SERVER.device()
                    + " here, and no " + machine.script() + " to make a machine that has them;"
                    + " without a device: bench svc");
            err.flush();
            return 2;
        }
        return super.call();
    }

    @Override
    void measure(Session session) throws Exception {
        if (!deviceOnly) {
            new Svc().measure(session);
        }
        if (Link.isThere()) {
            new RdmaRun(session).run();
        } else {
            session.progress("no RDMA device here: what follows runs in a virtual machine, " + machine.script());
            machine.run(session);
        }
    }
}
