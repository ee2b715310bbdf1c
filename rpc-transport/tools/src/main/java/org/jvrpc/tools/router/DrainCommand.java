package org.jvrpc.tools.router;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jvrpc.router.ctl.CtlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc router drain}: has this host's router take no new devices. */
@Command(name = "drain", description = DrainCommand.DESCRIPTION)
final class DrainCommand implements Callable<Integer> {

    static final String DESCRIPTION = "Has this host's router take no new devices, and waits for those that are there"
            + " to leave: before the host is stopped, or its router is exchanged. They work on meanwhile.%nExit code 0"
            + " when none is left; 1 when some are, whose number is printed; 2 for wrong arguments; 3 when there is no"
            + " router, or it does not let this user ask.";
    private static final String NONE = "devices=0";
    private static final int MOST_SECONDS = 3600;
    private static final long PATIENCE_MS = 20_000;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = RouterCommand.FOLDER,
            description = "The router's folder; by default ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0",
            description = "How long to wait for devices to leave, up to 3600; by default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--undo", description = "Take new devices again.")
    private boolean undo;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (seconds < 0 || seconds > MOST_SECONDS || undo && seconds > 0) {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds
                    + (undo ? " does not go with --undo" : " is not within 0 to " + MOST_SECONDS));
        }
        try {
            String left = CtlClient.ask(folder, undo ? "drain stop" : "drain " + seconds,
                    seconds * 1_000L + PATIENCE_MS).strip();
            spec.commandLine().getOut().println((undo ? "serving, " : "draining, ") + left);
            spec.commandLine().getOut().flush();
            return undo || left.equals(NONE) ? 0 : 1;
        } catch (IOException e) {
            spec.commandLine().getErr().println("jvrpc router drain: " + e.getMessage());
            return 3;
        }
    }
}
