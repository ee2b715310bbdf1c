package org.jvrpc.tools.call;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.recording.JsonDiff;
import org.jvrpc.recording.RecordedCall;
import org.jvrpc.recording.Recording;
import org.jvrpc.recording.RecordingException;
import org.jvrpc.recording.Replay;
import org.jvrpc.recording.ReplayServer;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.json.Json;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jvrpc replay FILE ADDRESS} and {@code jvrpc replay FILE --listen ADDRESS}. */
@Command(name = "replay",
        description = {"Makes the calls of a recording again, one after the other, and prints what differs in their"
                + " answers; or, with --listen, answers clients as the recorded server did.",
            "Exit code 0 when all answers are the same; 1 when some differ; 2 for wrong arguments and files that are no"
                + " whole recordings; 3 when there is no server."})
public final class ReplayCommand implements Callable<Integer> {

    private static final int SLOTS = 2;

    @Parameters(index = "0", paramLabel = "FILE", description = "A recording of jvrpc record.")
    private Path file;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ADDRESS", description = "The server that is asked again.")
    private String address;

    @Option(names = "--listen", paramLabel = "ADDRESS", description = "Serve the recorded answers here.")
    private String listen;

    @Option(names = "--ignore", paramLabel = "PATH",
            description = "Pay no heed to what differs here or below: answer.at, 'answer.legs[*].venue'.")
    private List<String> ignored = new ArrayList<>();

    @Option(names = "--timing", description = "Let calls, or answers, take their recorded times.")
    private boolean timing;

    @Option(names = "--accept-cut", description = "Take the whole calls of a file whose recorder was killed.")
    private boolean acceptCut;

    @Option(names = "--seconds", paramLabel = "N", description = "Serve for so long; default until Ctrl-C.")
    private long seconds = TimeUnit.DAYS.toSeconds(36_500);

    @Option(names = "--json", description = "Print JSON: each call that differs in a line.")
    private boolean json;

    @Mixin
    private CallerOptions caller;

    @Spec
    private CommandSpec spec;

    private final CountDownLatch over = new CountDownLatch(1);

    /** For the command line. */
    public ReplayCommand() {
    }

    /** Ends serving, as Ctrl-C does. Any thread. */
    void end() {
        over.countDown();
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if ((address == null) == (listen == null)) {
            throw caller.misuse("either ADDRESS, of a server to ask again, or --listen, to serve answers");
        }
        try {
            Recording recording = Recording.read(file, acceptCut);
            if (listen != null) {
                return serve(recording, out);
            }
            return ask(recording, out);
        } catch (IOException e) {
            throw caller.misuse(e instanceof RecordingException ? e.getMessage()
                    : file + " cannot be read: " + e);
        } catch (RpcException e) {
            err.println("jvrpc: " + e.status() + ": " + e.getMessage());
            return RemoteCommand.UNREACHED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private int serve(Recording recording, PrintWriter out) throws InterruptedException {
        try (ReplayServer server = ReplayServer.start(recording, listen, timing)) {
            out.println(json ? Json.write(Map.of("listening", server.address()), false)
                    : "jvrpc: calls=" + recording.calls().size() + " of " + file + " are answered at "
                            + server.address());
            out.flush();
            over.await(seconds, TimeUnit.SECONDS);
            return 0;
        } catch (VerbsException | IllegalArgumentException e) {
            throw caller.misuse("--listen " + listen + ": " + e.getMessage());
        }
    }

    private int ask(Recording recording, PrintWriter out) throws InterruptedException {
        try (RpcClient client = caller.connect(address, SLOTS)) {
            Replay replay = new Replay(client, caller.options(), recording, described(client, recording), ignored);
            long startNs = System.nanoTime();
            int differ = 0;
            for (RecordedCall call : recording.calls()) {
                if (timing) {
                    Replay.awaitTurn(call, startNs);
                }
                Replay.Result result = replay.again(call);
                if (!result.differences().isEmpty()) {
                    differ++;
                    print(result, out);
                }
            }
            if (!json) {
                out.println("calls=" + recording.calls().size() + " differ=" + differ
                        + (recording.left() > 0 ? " not recorded=" + recording.left() : ""));
            }
            return differ == 0 ? 0 : RemoteCommand.FAILED;
        }
    }

    /** Returns what the server says of the services; nothing where it does not: they are as they were then. */
    private List<DynamicService> described(RpcClient client, Recording recording) {
        Remote server = new Remote(client, caller.options());
        List<DynamicService> services = new ArrayList<>();
        try {
            List<String> known = server.services();
            recording.services().stream().filter(schema -> known.contains(schema.name()))
                    .forEach(schema -> services.add(server.service(schema.name())));
        } catch (UndescribedException e) {
            return List.of();
        } catch (RpcException e) {
            if (e.status() == Status.UNAVAILABLE) {
                throw e;
            }
            return List.of(); // it may be asked for the services, and not for what it has
        }
        return services;
    }

    private void print(Replay.Result result, PrintWriter out) {
        RecordedCall call = result.recorded();
        if (!json) {
            out.println("call " + call.number() + " " + call.fullName() + " " + Json.write(call.arguments(), false));
            result.differences().forEach(difference -> out.println("    " + difference));
            return;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("call", call.number());
        members.put("method", call.fullName());
        members.put("arguments", call.arguments());
        members.put("recorded", call.outcome());
        members.put("now", result.now());
        members.put("differences", result.differences().stream().map(JsonDiff.Difference::path).toList());
        out.println(Json.write(members, false));
    }
}
