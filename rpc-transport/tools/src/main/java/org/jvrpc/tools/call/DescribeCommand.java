package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.api.reflection.MethodTraits;
import org.jvrpc.api.reflection.ServiceDescription;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc describe ADDRESS [SERVICE…]}. */
@Command(name = "describe",
        description = {"Prints the methods of services, and the records, enums and exceptions that they reach.",
            "With --json it prints descriptors as jvrpc diff and --descriptor read them.", RemoteCommand.CODES})
public final class DescribeCommand extends RemoteCommand {

    @Parameters(index = "1..*", paramLabel = "SERVICE", description = "Which; default all.")
    private List<String> services = new ArrayList<>();

    @Option(names = "--descriptor", paramLabel = "FILE",
            description = "Where the services are described, where the server does not: a jar, folder or .json file.")
    private Path descriptor;

    /** For the command line. */
    public DescribeCommand() {
    }

    @Override
    Path descriptors() {
        return descriptor;
    }

    @Override
    int run(Remote server, PrintWriter out) {
        for (String service : services.isEmpty() ? server.services() : services) {
            ServiceDescription description = server.description(service);
            out.print(isJson() ? description.descriptor()
                    : text(SchemaJson.read(description.descriptor()), description.methods()));
        }
        return 0;
    }

    private static String text(ServiceSchema service, List<MethodTraits> traits) {
        StringBuilder out = new StringBuilder("service ").append(service.name()).append('\n');
        Map<String, Layout> layouts = new TreeMap<>();
        for (int i = 0; i < service.methods().size(); i++) {
            MethodSchema method = service.methods().get(i);
            out.append("    ").append(method.result()).append(' ').append(method.name()).append('(')
                    .append(String.join(", ", method.parameters())).append(')')
                    .append(method.thrown().isEmpty() ? "" : " throws "
                            + String.join(", ", method.thrown().stream().map(Layout::name).toList()))
                    .append(marks(method, i < traits.size() ? traits.get(i) : null)).append('\n');
            layouts.putAll(method.layouts());
            method.thrown().forEach(thrown -> layouts.put(thrown.name(), thrown));
        }
        layouts.values().forEach(layout -> out.append(text(layout)));
        return out.append('\n').toString();
    }

    private static String marks(MethodSchema method, MethodTraits traits) {
        List<String> marks = new ArrayList<>();
        if (method.oneWay()) {
            marks.add("one-way");
        }
        if (traits != null) {
            if (traits.heavy()) {
                marks.add("heavy");
            }
            if (traits.idempotent()) {
                marks.add("idempotent");
            }
            if (traits.offload()) {
                marks.add("offload");
            }
            if (!traits.deadline().equals(Duration.ZERO)) {
                marks.add("deadline " + traits.deadline());
            }
        }
        return marks.isEmpty() ? "" : "    // " + String.join(", ", marks);
    }

    private static String text(Layout layout) {
        StringBuilder out = new StringBuilder("  ").append(layout.kind().name().toLowerCase(Locale.ROOT))
                .append(' ').append(layout.name()).append('\n');
        for (Layout.Part part : layout.parts()) {
            out.append("    ").append(part.text().replaceFirst(":", ": "))
                    .append(part.since() == 0 ? "" : "    // since " + part.since()).append('\n');
        }
        return out.toString();
    }
}
