package org.jvrpc.tools.call;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.recording.Recorder;
import org.jvrpc.recording.RecordingProxy;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.json.Json;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code jvrpc record ADDRESS --listen ADDRESS --out FILE}. */
@Command(name = "record",
        description = {"Stands in front of a server and records what it is asked and answers, until Ctrl-C or --seconds"
                + " end it. Clients connect to --listen instead.",
            "The file has all arguments and answers, and is for you alone; what travels beside calls, as tokens do, is"
                + " not in it. What came whole is there when this is killed, too.",
            RemoteCommand.CODES})
public final class RecordCommand extends RemoteCommand {

    /** What every server may have: nobody's conversation. */
    private static final String OWN = "org.jvrpc.api.";
    private static final int SLOTS = 256;
    private static final long MIB = 1L << 20;

    @Option(names = "--listen", required = true, paramLabel = "ADDRESS",
            description = "Where clients connect: shm://name, tcp://host:port and so on.")
    private String listen;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "What is written; it must not exist.")
    private Path file;

    @Option(names = "--most-mib", paramLabel = "MIB", defaultValue = "64",
            description = "How long the file may become; what does not fit is left out, and counted. Default"
                + " ${DEFAULT-VALUE}.")
    private long mostMib;

    @Option(names = "--seconds", paramLabel = "N", description = "End after so long.")
    private long seconds = TimeUnit.DAYS.toSeconds(36_500);

    @Option(names = "--service", paramLabel = "SERVICE", description = "Serve this alone; may stand several times.")
    private List<String> chosen = new ArrayList<>();

    @Option(names = "--descriptor", paramLabel = "FILE",
            description = "Where the services are described, where the server does not: a jar, folder or .json file.")
    private Path descriptor;

    private final CountDownLatch over = new CountDownLatch(1);

    /** For the command line. */
    public RecordCommand() {
    }

    /** Ends it, as Ctrl-C does. Any thread. */
    void end() {
        over.countDown();
    }

    @Override
    Path descriptors() {
        return descriptor;
    }

    @Override
    int run(Remote server, PrintWriter out) {
        if (mostMib < 1 || mostMib > 1024 || seconds < 1) {
            throw remote().misuse("--most-mib is from 1 to 1024, not " + mostMib + "; --seconds 1 or more, not "
                    + seconds);
        }
        List<DynamicService> services = (chosen.isEmpty() ? server.services() : chosen).stream()
                .filter(name -> !name.startsWith(OWN)).map(server::service).toList();
        if (services.isEmpty()) {
            throw remote().misuse("the server at " + remote().address() + " has no services to record");
        }
        try (RpcClient onwards = remote().connect(remote().address(), SLOTS);
                Recorder recorder = recorder(services)) {
            record(onwards, services, recorder, out);
        }
        return 0;
    }

    private Recorder recorder(List<DynamicService> services) {
        try {
            return Recorder.create(file, remote().address(), services, mostMib * MIB);
        } catch (FileAlreadyExistsException e) {
            throw remote().misuse(file + " exists, and is not written over");
        } catch (IOException e) {
            throw remote().misuse(file + " cannot be written: " + e);
        }
    }

    private void record(RpcClient onwards, List<DynamicService> services, Recorder recorder, PrintWriter out) {
        try (RecordingProxy proxy = RecordingProxy.start(onwards, remote().options(), services, listen, recorder)) {
            Thread hook = new Thread(proxy::close, "jvrpc-record-end");
            Runtime.getRuntime().addShutdownHook(hook);
            say(out, "listening", proxy.address(), "jvrpc: " + remote().address() + " is recorded to " + file
                    + " as clients call " + proxy.address());
            over.await(seconds, TimeUnit.SECONDS);
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (VerbsException | IllegalArgumentException e) {
            throw remote().misuse("--listen " + listen + ": " + e.getMessage());
        }
        say(out, "calls", recorder.calls(), "jvrpc: calls=" + recorder.calls() + " left out=" + recorder.left());
    }

    private void say(PrintWriter out, String name, Object value, String text) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(name, value);
        out.println(isJson() ? Json.write(members, false) : text);
        out.flush();
    }
}
