package org.jvrpc.tools.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.fabric.replay.Capture;
import org.jvrpc.fabric.replay.Flow;
import org.jvrpc.fabric.replay.Replay;
import org.jvrpc.fabric.replay.WhatIf;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jvrpc fabric replay}. */
@Command(name = "replay",
        description = {"Follows the flows of a capture (pcap, of Ethernet frames) with jvRPC's own state machines,",
            "and names where they would have done otherwise.",
            "Exit code 0 without differences, 1 with some or when FILE is no capture, 2 for wrong arguments."})
final class ReplayCommand implements Callable<Integer> {

    private static final long MOST_BYTES = 1L << 30;
    private static final long NS_PER_US = 1000;

    @Parameters(paramLabel = "FILE", description = "A capture.")
    private Path file;

    @Option(names = "--lose", paramLabel = "N",
            description = "Simulate the flow of frame N, counted from 1 as in Wireshark, with that packet lost.")
    private Integer lose;

    @Option(names = "--ack-timeout-us", paramLabel = "US", defaultValue = "67108",
            description = "Of both sides, when a packet is lost. Default: ${DEFAULT-VALUE}.")
    private long ackTimeoutUs;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (ackTimeoutUs < 1 || ackTimeoutUs > MOST_BYTES) {
            throw new ParameterException(spec.commandLine(), "--ack-timeout-us=" + ackTimeoutUs + " is not within 1 to "
                    + MOST_BYTES);
        }
        Capture capture;
        try {
            long bytes = Files.size(file);
            if (bytes > MOST_BYTES) {
                throw new IllegalArgumentException("has " + bytes + " bytes; the most is " + MOST_BYTES);
            }
            capture = Capture.read(ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (IOException e) {
            return fail(OutputFolder.words(e));
        } catch (IllegalArgumentException e) {
            return fail(file + ": " + e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(capture.summary());
        List<Flow> flows = Flow.in(capture);
        int code = lose == null ? replay(flows, out) : lose(flows, out);
        out.flush();
        return code;
    }

    private int fail(String words) {
        spec.commandLine().getErr().println("jvrpc fabric replay: " + words);
        return 1;
    }

    private int replay(List<Flow> flows, PrintWriter out) {
        int differences = 0;
        for (Flow flow : flows) {
            Replay replay = Replay.of(flow);
            out.println();
            out.println(flow + ", " + flow.packets() + " packets, MTU " + flow.mtu());
            replay.states().forEach(line -> out.println("  " + line));
            replay.events().forEach(line -> out.println("  " + line));
            replay.differences().forEach(line -> out.println("  DIFFERENCE " + line));
            differences += replay.differences().size();
        }
        out.println();
        out.println(flows.size() + " flows, " + (differences == 0 ? "no" : differences) + " differences");
        return differences == 0 ? 0 : 1;
    }

    private int lose(List<Flow> flows, PrintWriter out) {
        for (Flow flow : flows) {
            if (flow.holds(lose)) {
                WhatIf.lost(flow, lose, ackTimeoutUs * NS_PER_US).forEach(out::println);
                return 0;
            }
        }
        throw new ParameterException(spec.commandLine(),
                "--lose=" + lose + " is no packet of the RC service in this capture");
    }
}
