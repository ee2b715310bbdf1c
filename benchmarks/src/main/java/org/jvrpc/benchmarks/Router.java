package org.jvrpc.benchmarks;

import java.util.List;
import org.jvrpc.benchmarks.router.row.RouterRows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tenants of a router: what it costs, and what it keeps them from. */
@Command(name = "router")
final class Router extends BenchCommand {

    @Spec
    private CommandSpec command;

    private List<String> rows = RouterRows.NAMES;

    @Option(names = "--rows", paramLabel = "NAME[,NAME]", split = ",")
    void setRows(List<String> names) {
        for (String name : names) {
            if (!RouterRows.NAMES.contains(name)) {
                throw new ParameterException(command.commandLine(),
                        "unknown row=" + name + ", known are " + RouterRows.NAMES);
            }
        }
        rows = List.copyOf(names);
    }

    @Override
    void measure(Session session) throws Exception {
        new RouterRows(session).run(rows);
    }
}
