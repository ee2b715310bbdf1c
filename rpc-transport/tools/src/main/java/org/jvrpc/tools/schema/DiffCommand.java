package org.jvrpc.tools.schema;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jvrpc.api.schema.DescriptorFiles;
import org.jvrpc.api.schema.Finding;
import org.jvrpc.api.schema.SchemaDiff;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.tools.call.RunningServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jvrpc diff OLD NEW}. */
@Command(name = "diff",
        description = {"Says what changed between two versions of services, and what that breaks for whom.",
            "OLD and NEW are jars, folders, or descriptors (META-INF/jvrpc/*.json), which jvrpc-codegen writes, or"
                + " addresses of servers that describe themselves, such as tcp://host:port.",
            "Exit code 0 when clients and servers of both versions understand each other; 1 when something breaks;"
                + " 2 for wrong arguments, or when a server does not answer."})
public final class DiffCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "OLD", description = "The version that is in use.")
    private String before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The version that is to be.")
    private String after;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** For the command line. */
    public DiffCommand() {
    }

    @Override
    public Integer call() {
        List<Finding> findings = SchemaDiff.of(read(before), read(after));
        boolean breaks = findings.stream().anyMatch(finding -> finding.effect().breaks());
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? json(findings, breaks) : text(findings, breaks));
        out.flush();
        return breaks ? 1 : 0;
    }

    private List<ServiceSchema> read(String place) {
        try {
            return place.contains("://") ? RunningServer.services(place) : DescriptorFiles.read(Path.of(place));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static String text(List<Finding> findings, boolean breaks) {
        StringBuilder out = new StringBuilder();
        findings.forEach(finding -> out.append(finding).append('\n'));
        long broken = findings.stream().filter(finding -> finding.effect().breaks()).count();
        return out.append(findings.isEmpty() ? "Nothing changed."
                : breaks ? broken + " of " + findings.size() + " changes break peers of the old version."
                : "No change breaks peers of the old version.").toString();
    }

    /** {@code {"breaks":true,"findings":[{"effect":…,"service":…,"methods":[…],"text":…},…]}}. */
    private static String json(List<Finding> findings, boolean breaks) {
        StringBuilder out = new StringBuilder("{\"breaks\":").append(breaks).append(",\"findings\":[");
        String separator = "\n";
        for (Finding finding : findings) {
            out.append(separator).append("{\"effect\":").append(SchemaJson.quote(finding.effect().id()))
                    .append(",\"service\":").append(SchemaJson.quote(finding.service()))
                    .append(",\"methods\":").append(finding.methods().stream().map(SchemaJson::quote)
                            .collect(Collectors.joining(",", "[", "]")))
                    .append(",\"text\":").append(SchemaJson.quote(finding.text())).append('}');
            separator = ",\n";
        }
        return out.append("\n]}").toString();
    }
}
