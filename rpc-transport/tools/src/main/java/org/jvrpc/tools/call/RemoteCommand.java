package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.recording.dynamic.DeclaredException;
import org.jvrpc.recording.json.Json;
import org.jvrpc.recording.json.MisfitException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What commands that speak to a server have in common. Answers go to the standard output, failures to the other one.
 * Exit codes: 0; 1 when a call fails; 2 for wrong arguments; 3 when there is no server, or it does not tell what is
 * asked.
 */
abstract class RemoteCommand implements Callable<Integer> {

    static final String CODES = "Exit code 0; 1 when the call fails; 2 for wrong arguments; 3 when there is no server,"
            + " or it does not describe itself.";
    static final int FAILED = 1;
    static final int MISUSE = 2;
    static final int UNREACHED = 3;

    @Mixin
    private RemoteOptions remote;

    @Option(names = "--json", description = "Print JSON, failures too.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    RemoteCommand() {
    }

    /** Does it with a server. */
    abstract int run(Remote server, PrintWriter out);

    /** Returns where descriptors are; null to ask the server. */
    Path descriptors() {
        return null;
    }

    final boolean isJson() {
        return json;
    }

    final RemoteOptions remote() {
        return remote;
    }

    @Override
    public final Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        int code;
        try {
            code = connectAndRun(out, err);
        } catch (MisfitException e) {
            err.println("jvrpc: " + e.getMessage());
            code = MISUSE;
        } catch (UndescribedException e) {
            err.println("jvrpc: " + e.getMessage());
            code = UNREACHED;
        } catch (DeclaredException e) {
            err.println(json ? Json.write(e.asJson(), false) : "jvrpc: " + e.getMessage());
            code = FAILED;
        } catch (RpcException e) {
            fail(e, err);
            code = FAILED;
        }
        out.flush();
        err.flush();
        return code;
    }

    private int connectAndRun(PrintWriter out, PrintWriter err) {
        Remote server;
        try {
            server = new Remote(remote, descriptors());
        } catch (RpcException e) {
            fail(e, err);
            return UNREACHED;
        }
        try (server) {
            return run(server, out);
        }
    }

    private void fail(RpcException e, PrintWriter err) {
        if (!json) {
            err.println("jvrpc: " + e.status() + ": " + e.getMessage() + details(e.details()));
            return;
        }
        Map<String, Object> failure = new LinkedHashMap<>();
        failure.put("status", e.status().name());
        failure.put("message", e.getMessage());
        failure.put("mayHaveRun", e.mayHaveRun());
        ErrorDetails details = e.details();
        if (details != null) {
            failure.put("reason", details.reason());
            failure.put("domain", details.domain());
            failure.put("metadata", details.metadata());
            failure.put("retryAfter", details.retryAfter() == null ? null : details.retryAfter().toString());
        }
        err.println(Json.write(failure, false));
    }

    private static String details(ErrorDetails details) {
        return details == null ? "" : " (" + details + ")";
    }

    /** Returns true where a failure says that a server has no such thing, as an older one. */
    static boolean isUnknown(RpcException e) {
        return e.status() == Status.UNIMPLEMENTED;
    }
}
