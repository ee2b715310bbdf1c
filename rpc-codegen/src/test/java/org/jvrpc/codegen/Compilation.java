package org.jvrpc.codegen;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jvrpc.api.RpcService;

/**
 * One run of the compiler over sources in memory. Its class path is the API alone.
 *
 * @param messages every diagnostic
 * @param generated text of generated files by name, as {@code org/acme/OrdersStub.java}
 * @param classes class files by binary name
 * @param resources text of generated resources by path
 */
record Compilation(
        List<Message> messages,
        SortedMap<String, String> generated,
        SortedMap<String, byte[]> classes,
        SortedMap<String, String> resources) {

    /** A file to compile: path and text. */
    record Source(String name, String text) {

        static List<Source> readAll(Path directory) throws IOException {
            try (Stream<Path> files = Files.walk(directory)) {
                List<Source> sources = new ArrayList<>();
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
                    String name = directory.relativize(file).toString().replace('\\', '/');
                    sources.add(new Source(name, Files.readString(file)));
                }
                return sources;
            }
        }
    }

    /** A diagnostic: the line is 0 where it has none. */
    record Message(Diagnostic.Kind kind, String file, long line, String text) {
    }

    /** Compiles with the processor. */
    static Compilation process(Collection<Source> sources, String... options) {
        return run(sources, List.of(new RpcServiceProcessor()), options);
    }

    /** Compiles with the processor and, before it, another. */
    static Compilation process(Collection<Source> sources, Processor other, String... options) {
        return run(sources, List.of(other, new RpcServiceProcessor()), options);
    }

    /** Compiles with the processor, and with classes of a folder. */
    static Compilation processWith(Path folder, Collection<Source> sources) {
        return run(List.of(folder), sources, List.of(new RpcServiceProcessor()));
    }

    /** Compiles without the processor. */
    static Compilation compile(Collection<Source> sources, String... options) {
        return run(sources, List.of(), options);
    }

    boolean isClean() {
        return messages.isEmpty();
    }

    private static Compilation run(Collection<Source> sources, List<Processor> processors, String... options) {
        return run(List.of(), sources, processors, options);
    }

    private static Compilation run(
            List<Path> folders, Collection<Source> sources, List<Processor> processors, String... options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
        List<String> arguments = new ArrayList<>(List.of(options));
        if (processors.isEmpty()) {
            arguments.add("-proc:none");
        }
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(collector, Locale.ROOT, null)) {
            Path api = Path.of(RpcService.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            List<Path> path = new ArrayList<>(folders);
            path.add(api);
            standard.setLocationFromPaths(StandardLocation.CLASS_PATH, path);
            Outputs files = new Outputs(standard);
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach(source -> units.add(new Input(source)));
            JavaCompiler.CompilationTask task =
                    compiler.getTask(null, files, collector, arguments, null, units);
            task.setProcessors(processors);
            task.call();
            return files.result(collector.getDiagnostics());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class Input extends SimpleJavaFileObject {

        private final String text;

        Input(Source source) {
            super(URI.create("memory:///" + source.name()), Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String name, Kind kind) {
            super(URI.create("memory:///"
                    + (kind == Kind.OTHER ? name : name.replace('.', '/') + kind.extension)), kind);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {

        private final SortedMap<String, Output> sources = new TreeMap<>();
        private final SortedMap<String, Output> classes = new TreeMap<>();
        private final SortedMap<String, Output> resources = new TreeMap<>();

        Outputs(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            boolean isSource = kind == JavaFileObject.Kind.SOURCE;
            Output output = new Output(className, kind);
            (isSource ? sources : classes).put(isSource ? output.toUri().getPath().substring(1) : className, output);
            return output;
        }

        @Override
        public FileObject getFileForOutput(
                Location location, String packageName, String relativeName, FileObject sibling) {
            Output output = new Output(relativeName, JavaFileObject.Kind.OTHER);
            resources.put(relativeName, output);
            return output;
        }

        @Override
        public FileObject getFileForInput(Location location, String packageName, String relativeName) {
            return resources.get(relativeName);
        }

        Compilation result(List<Diagnostic<? extends JavaFileObject>> diagnostics) {
            SortedMap<String, String> texts = new TreeMap<>();
            sources.forEach((name, output) -> texts.put(name, output.getCharContent(false).toString()));
            SortedMap<String, byte[]> binaries = new TreeMap<>();
            classes.forEach((name, output) -> binaries.put(name, output.bytes.toByteArray()));
            SortedMap<String, String> files = new TreeMap<>();
            resources.forEach((name, output) -> files.put(name, output.getCharContent(false).toString()));
            return new Compilation(diagnostics.stream().map(Outputs::message).toList(), texts, binaries, files);
        }

        private static Message message(Diagnostic<? extends JavaFileObject> diagnostic) {
            String path = diagnostic.getSource() == null ? "" : diagnostic.getSource().toUri().getPath();
            String file = path.substring(path.lastIndexOf('/') + 1);
            long line = Math.max(0, diagnostic.getLineNumber());
            return new Message(diagnostic.getKind(), file, line, diagnostic.getMessage(Locale.ROOT));
        }
    }
}
