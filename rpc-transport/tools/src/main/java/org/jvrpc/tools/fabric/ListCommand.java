package org.jvrpc.tools.fabric;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jvrpc.fabric.experiment.Experiments;
import org.jvrpc.fabric.experiment.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code jvrpc fabric list}. */
@Command(name = "list", description = "Prints the names of all runs, and what they show.")
final class ListCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        for (Run run : Experiments.all()) {
            out.printf("%-32s %s%n", run.name(), run.about());
        }
        out.flush();
        return 0;
    }
}
