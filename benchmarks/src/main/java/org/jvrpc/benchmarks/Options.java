package org.jvrpc.benchmarks;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every benchmark takes. Documented in {@code help.txt}. */
final class Options {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--quick")
    boolean quick;

    @Option(names = "--json", paramLabel = "FILE")
    Path json;

    private List<String> only = List.of();

    @Option(names = "--only", paramLabel = "NAME[,NAME]", split = ",")
    void setOnly(List<String> names) {
        for (String name : names) {
            if (!Contenders.names().contains(name)) {
                throw new ParameterException(command.commandLine(),
                        "unknown contender=" + name + ", known are " + Contenders.names());
            }
        }
        only = List.copyOf(names);
    }

    List<String> only() {
        return only;
    }

    /** Returns true unless this contender is left out; one beside idle sessions goes by the name that it has alone. */
    boolean takes(String contender) {
        int infix = contender.indexOf(Sessions.INFIX);
        return only.isEmpty() || only.contains(contender) || infix > 0 && only.contains(contender.substring(0, infix));
    }
}
