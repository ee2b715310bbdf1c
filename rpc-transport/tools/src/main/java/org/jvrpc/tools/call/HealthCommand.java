package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.Health;
import org.jvrpc.api.health.HealthAsync;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.recording.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc health ADDRESS [SERVICE]}. */
@Command(name = "health",
        description = {"Says whether a server, or one of its services, can serve: SERVING, NOT_SERVING, UNKNOWN or"
                + " SERVICE_UNKNOWN.",
            "Exit code 0 when it is SERVING; 1 when it is not; 2 for wrong arguments; 3 when there is no server, or it"
                + " does not say."})
public final class HealthCommand extends RemoteCommand {

    @Parameters(index = "1", arity = "0..1", paramLabel = "SERVICE", defaultValue = "",
            description = "Its name on the wire; default the server as a whole.")
    private String service;

    @Option(names = "--watch", description = "Go on, and print each change, until the server is gone.")
    private boolean watch;

    /** For the command line. */
    public HealthCommand() {
    }

    @Override
    int run(Remote server, PrintWriter out) {
        ServingStatus status;
        try {
            status = server.client().stub(Health.class, server.options()).check(service);
        } catch (RpcException e) {
            if (isUnknown(e)) {
                throw new RpcException(e.status(), "the server does not say how it is: " + e.getMessage());
            }
            throw e;
        }
        print(status, out);
        if (watch) {
            watch(server, status, out);
        }
        return status == ServingStatus.SERVING ? 0 : FAILED;
    }

    private void watch(Remote server, ServingStatus first, PrintWriter out) {
        HealthAsync health = server.client().asyncStub(Health.class, HealthAsync.class, CallOptions.DEFAULT);
        ServingStatus known = first;
        while (true) {
            ServingStatus now;
            try {
                now = health.watch(service, known).join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RpcException failure && failure.status() == Status.DEADLINE_EXCEEDED) {
                    continue; // nothing changed, for so long
                }
                throw e.getCause() instanceof RpcException failure ? failure : e;
            }
            if (now != known) {
                print(now, out);
            }
            known = now;
        }
    }

    private void print(ServingStatus status, PrintWriter out) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("service", service);
        answer.put("status", status.name());
        out.println(isJson() ? Json.write(answer, false) : status.name());
        out.flush();
    }
}
