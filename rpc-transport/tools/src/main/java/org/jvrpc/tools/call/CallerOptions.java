package org.jvrpc.tools.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.runtime.RpcClient;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a command calls, and as whom. */
class CallerOptions {

    private static final double MOST_SECONDS = 86_400;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "How long each call may take, and to connect; default ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--token-file", paramLabel = "FILE",
            description = "Show the token that this file has, as a bearer of it.")
    private Path tokenFile;

    @Option(names = "--metadata", paramLabel = "NAME=VALUE", description = "Send this beside each call.")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    CallerOptions() {
    }

    /** Connects. @throws org.jvrpc.api.RpcException when that fails */
    final RpcClient connect(String address, int slots) {
        try {
            return RpcClient.builder(address).connectTimeout(timeout()).deadline(timeout()).slots(slots).connect();
        } catch (IllegalArgumentException e) {
            throw misuse(e.getMessage());
        }
    }

    private Duration timeout() {
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw misuse("--timeout takes seconds, more than 0 and at most " + (int) MOST_SECONDS + ", not "
                    + seconds);
        }
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    final CallOptions options() {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout());
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            options = options.withMetadata(entry.getKey(), entry.getValue());
        }
        if (tokenFile == null) {
            return options;
        }
        String token = token();
        return options.withCredentials(CallCredentials.bearer(() -> token));
    }

    private String token() {
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw misuse("the token cannot be read: " + e);
        }
    }

    final ParameterException misuse(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
