package org.jvrpc.benchmarks;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** What every benchmark takes. Documented in {@code help.txt}. */
final class Options {

    @Option(names = "--quick")
    boolean quick;

    @Option(names = "--json", paramLabel = "FILE")
    Path json;

    @Option(names = "--only", paramLabel = "NAME[,NAME]", split = ",")
    List<String> only = List.of();
}
