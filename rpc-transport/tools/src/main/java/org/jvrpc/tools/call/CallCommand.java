package org.jvrpc.tools.call;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.TypeText;
import org.jvrpc.recording.dynamic.DynamicCall;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.json.Json;
import org.jvrpc.recording.json.MisfitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc call ADDRESS SERVICE/METHOD [JSON…]}. */
@Command(name = "call",
        description = {"Calls a method, and prints its result as JSON; of a stream, each element in a line.",
            "Each argument is JSON: 42, '[1,2]', '{\"id\":7}'; strings, enums, times and the like may stand without"
                + " quotes. Records are objects with all components but those that may be null; bytes are base64;"
                + " times are ISO 8601. A stream among the arguments comes from the standard input, a JSON value a"
                + " line.",
            RemoteCommand.CODES})
public final class CallCommand extends RemoteCommand {

    @Parameters(index = "1", paramLabel = "SERVICE/METHOD",
            description = "What to call; of several methods of one name SERVICE/METHOD(TYPES), as in jvrpc describe.")
    private String what;

    @Parameters(index = "2..*", paramLabel = "JSON", description = "The arguments, in order.")
    private List<String> arguments = new ArrayList<>();

    @Option(names = "--descriptor", paramLabel = "FILE",
            description = "Where the service is described, where the server does not: a jar, folder or .json file.")
    private Path descriptor;

    @Option(names = "--pretty", description = "Print results in several lines.")
    private boolean pretty;

    @Option(names = {"-n", "--limit"}, paramLabel = "N",
            description = "Take so many elements of a stream, then end it.")
    private long most = Long.MAX_VALUE;

    private final InputStream in;

    /** For the command line. */
    public CallCommand() {
        this(System.in);
    }

    /** @param in where elements of a stream come from */
    CallCommand(InputStream in) {
        this.in = in;
    }

    @Override
    Path descriptors() {
        return descriptor;
    }

    @Override
    int run(Remote server, PrintWriter out) {
        int slash = what.indexOf('/');
        if (slash <= 0 || slash == what.length() - 1) {
            throw remote().misuse("what to call is SERVICE/METHOD, not '" + what + "'");
        }
        DynamicService service = server.service(what.substring(0, slash));
        MethodSchema method = find(service, what.substring(slash + 1));
        TypeText.Reader types = new TypeText.Reader(service.schema(), method);
        List<String> expected = DynamicCall.given(method);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            values.add(value(types.read(expected.get(i)), arguments.get(i), i + 1));
        }
        new DynamicCall(service, method).run(server.open(service), values,
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)), result -> {
                    out.println(Json.write(result, pretty));
                    out.flush();
                }, most);
        return 0;
    }

    private MethodSchema find(DynamicService service, String name) {
        List<MethodSchema> methods = service.schema().methods();
        List<MethodSchema> found = methods.stream()
                .filter(method -> name.equals(method.key()) || name.equals(method.name())).toList();
        if (found.isEmpty()) {
            throw remote().misuse("no method " + name + " in " + service.name() + ": there are " + keys(methods));
        }
        List<MethodSchema> fit = found.stream()
                .filter(method -> DynamicCall.given(method).size() == arguments.size()).toList();
        if (fit.size() == 1) {
            return fit.get(0);
        }
        throw remote().misuse((fit.isEmpty() ? "arguments=" + arguments.size() + " do not fit " : "which of ")
                + keys(found));
    }

    private static String keys(List<MethodSchema> methods) {
        return String.join(" ", methods.stream().map(MethodSchema::key).toList());
    }

    /** What is written without quotes is a string where the type is one on paper. */
    private static Object value(TypeText type, String text, int number) {
        TypeText bare = type.bare();
        boolean isText = bare instanceof TypeText.Constants || bare instanceof TypeText.Basic basic && basic.isText();
        boolean isNull = type instanceof TypeText.Maybe && text.equals("null");
        if (isText && !isNull && !text.startsWith("\"")) {
            return text;
        }
        try {
            return Json.read(text);
        } catch (MisfitException e) {
            throw new MisfitException("argument " + number + ": " + e.getMessage());
        }
    }
}
