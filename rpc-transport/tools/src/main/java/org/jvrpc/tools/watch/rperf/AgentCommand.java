package org.jvrpc.tools.watch.rperf;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.verbs.PairSink;
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
        PrintWriter out = spec.commandLine().getOut();
        try (PairSink sink = PairSink.open(device, mostBytes)) {
            out.println("device " + sink.address());
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
            return Output.refuse(spec.commandLine(), "agent", e.getMessage() + ". Cure: jvrpc doctor says what this host"
                    + " can do");
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
