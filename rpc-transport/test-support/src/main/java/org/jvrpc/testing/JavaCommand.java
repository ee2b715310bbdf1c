package org.jvrpc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a child JVM is started: with this JVM's Java, class path and collector, its folder of shared memory, and C1
 * alone, which is ready sooner. The class path is given by an argument file, as it is longer than a command line should
 * be.
 */
public final class JavaCommand {

    /** The folder of {@code org.jvrpc.verbs.rare}. */
    private static final String RARE = "jvrpc.rare";
    private static final Map<String, Path> CLASS_PATHS = new HashMap<>();

    private final Class<?> main;
    private final List<String> options = new ArrayList<>(List.of("-XX:+ErrorFileToStdout"));
    private final List<String> arguments = new ArrayList<>();
    private final List<String> before = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");
    private boolean watched = true;
    private boolean errorsApart;

    private JavaCommand(Class<?> main) {
        this.main = main;
        String folder = System.getProperty(SharedMemoryFolder.PROPERTY);
        if (folder != null) {
            property(SharedMemoryFolder.PROPERTY, folder);
        }
        String rare = System.getProperty(RARE);
        if (rare != null) {
            property(RARE, rare);
        }
        option("-XX:TieredStopAtLevel=1");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.matches("-XX:[+]Use[A-Za-z0-9]+GC")).forEach(this::option);
    }

    /** Begins the command that runs the main method of a class. */
    public static JavaCommand of(Class<?> main) {
        return new JavaCommand(main);
    }

    /** Adds an option of the JVM, for instance {@code -Xmx64m}. A later one wins. */
    public JavaCommand option(String option) {
        options.add(option);
        return this;
    }

    /** Sets a system property. */
    public JavaCommand property(String name, Object value) {
        return option("-D" + name + "=" + value);
    }

    /** Adds arguments of the program. */
    public JavaCommand arguments(String... more) {
        arguments.addAll(List.of(more));
        return this;
    }

    /** Adds arguments of the program. */
    public JavaCommand arguments(List<String> more) {
        arguments.addAll(more);
        return this;
    }

    /** Has another command run the JVM in its own stead, for instance {@code prlimit}. */
    public JavaCommand startedBy(List<String> command) {
        before.addAll(command);
        return this;
    }

    /** Sets a class path that is not this JVM's. */
    public JavaCommand classPath(String path) {
        classPath = path;
        return this;
    }

    /** Leaves standard input to the program, which must end when that does: nobody else sees that the parent died. */
    public JavaCommand readsItsInput() {
        watched = false;
        return this;
    }

    /** Keeps standard error apart from the output, in {@link ChildJvm#errors}. */
    public JavaCommand errorsApart() {
        errorsApart = true;
        return this;
    }

    /** Returns the command line, for one who starts it by other means. */
    public List<String> toList() {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("@" + argumentFile(classPath));
        if (watched) {
            command.add(Parent.class.getName());
        }
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }

    /** Starts it. */
    public ChildJvm start() {
        return new ChildJvm(main.getSimpleName(), Processes.start(
                new ProcessBuilder(toList()).redirectErrorStream(!errorsApart)));
    }

    private static synchronized Path argumentFile(String classPath) {
        return CLASS_PATHS.computeIfAbsent(classPath, path -> {
            try {
                Path file = Files.createTempFile("jvrpc-test", ".args");
                file.toFile().deleteOnExit();
                String quoted = path.replace("\\", "\\\\").replace("\"", "\\\"");
                return Files.writeString(file, "-cp\n\"" + quoted + "\"\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
