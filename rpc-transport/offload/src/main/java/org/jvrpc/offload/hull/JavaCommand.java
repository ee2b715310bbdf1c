package org.jvrpc.offload.hull;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command by which a Java program has a hull run itself, or a part of itself, as the application. */
public final class JavaCommand {

    /** Options that take a port, which is the hull's already. */
    private static final List<String> OF_ONE_PROCESS = List.of(
            "-agentlib:jdwp", "-Xrunjdwp", "-Xdebug", "-Dcom.sun.management.jmxremote.port",
            "-Dcom.sun.management.jmxremote.rmi.port");

    private JavaCommand() {
    }

    /**
     * Returns the command of a class in a JVM like this one: its {@code java}, its class path, and its options, such as
     * {@code -D} and {@code -Xmx}, except those of a debugger and of JMX that take a port.
     *
     * @param arguments of the class's main method
     */
    public static List<String> of(Class<?> main, List<String> arguments) {
        return of(main, arguments, ManagementFactory.getRuntimeMXBean().getInputArguments(),
                System.getenv("CLASSPATH"));
    }

    /** @param classPath of the environment, which the application finds there, too; null when there is none */
    static List<String> of(Class<?> main, List<String> arguments, List<String> options, String classPath) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : options) {
            if (OF_ONE_PROCESS.stream().noneMatch(option::startsWith)) {
                command.add(option);
            }
        }
        if (classPath == null) {
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }
}
