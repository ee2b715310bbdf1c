package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.control.ControlServer;
import org.jvrpc.watch.rperf.verbs.PairSink;
import org.jvrpc.watch.rperf.verbs.VerbsMeasurement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf agent}. */
@Command(name = "agent",
        description = {"Is the peer that others measure to. It spins while messages come, and waits when none do.",
            "Prints the address that jvrpc rperf run --to takes, and runs until it is killed.",
            "Exit code 0 after --seconds; 2 for wrong arguments; 3 when the device refuses."})
final class AgentCommand implements Callable<Integer> {

    @Option(names = "--device", paramLabel = "ADDRESS", required = true,
            description = "Where to listen: roce://10.0.0.2:7471, rdma://10.0.0.2:7471, shm://name.")
    private String device;

    @Option(names = "--listen", paramLabel = "HOST:PORT",
            description = "Take commands of jvrpc rperf run --from and --to there, over TCP, sealed by a key.")
    private String listen;

    @Option(names = "--key-file", paramLabel = "FILE",
            description = "The keys, a line id:hex of 16 to 64 bytes, two at most; not needed on this host's loopback.")
    private Path keyFile;

    @Option(names = "--most-bytes", paramLabel = "N", defaultValue = "1048576",
            description = "Of the longest message that is taken. Default: ${DEFAULT-VALUE}.")
    private int mostBytes;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0",
            description = "End after so long; 0: never. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (mostBytes < 1 || mostBytes > LoadPattern.MOST_BYTES) {
            throw new ParameterException(spec.commandLine(),
                    "--most-bytes=" + mostBytes + " is not within 1 to " + LoadPattern.MOST_BYTES);
        }
        if (!(seconds >= 0)) {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds + " is below 0");
        }
        Control control;
        ProbeKeys keys;
        try {
            control = listen == null ? null : Control.parse("--listen", listen);
            keys = control == null ? null : Control.keys(keyFile, List.of(control));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (UncheckedIOException e) {
            return Output.refuse(spec.commandLine(), "agent", e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        try (PairSink sink = PairSink.open(device, mostBytes);
                ControlServer server = control == null ? null : ControlServer.open(
                        new InetSocketAddress(control.address(), control.port()), keys, sink.address(),
                        VerbsMeasurement::prepare)) {
            out.println("device " + sink.address());
            if (server != null) {
                out.println("commands " + control.host() + ":" + server.port());
            }
            out.flush();
            if (seconds > 0) {
                endLater(sink);
            }
            sink.run();
            out.println("received " + sink.messages() + " messages");
            return RperfCommand.MEASURED;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (VerbsException e) {
            return Output.refuse(spec.commandLine(), "agent",
                    Output.withCure(e.getMessage(), "jvrpc doctor says what this host can do"));
        } catch (IOException e) {
            return Output.refuse(spec.commandLine(), "agent",
                    Output.withCure(e.getMessage(), "name a free port of this host"));
        }
    }

    private void endLater(PairSink sink) {
        Thread timer = new Thread(() -> {
            try {
                Thread.sleep(Math.round(seconds * 1000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            sink.stop();
        }, "rperf-agent-timer");
        timer.setDaemon(true);
        timer.start();
    }
}
