package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.util.List;
import org.jvrpc.recording.json.Json;
import picocli.CommandLine.Command;

/** {@code jvrpc list ADDRESS}. */
@Command(name = "list", description = {"Prints the services of a server, a line each.", RemoteCommand.CODES})
public final class ListCommand extends RemoteCommand {

    /** For the command line. */
    public ListCommand() {
    }

    @Override
    int run(Remote server, PrintWriter out) {
        List<String> services = server.services();
        if (isJson()) {
            out.println(Json.write(services, false));
        } else {
            services.forEach(out::println);
        }
        return 0;
    }
}
