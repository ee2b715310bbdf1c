package org.jvrpc.runtime.counters.write;

/** What people call this process. */
final class ProcessName {

    /** Says it, where the command does not. */
    static final String PROPERTY = "jvrpc.process.name";

    private ProcessName() {
    }

    /** Returns the property's value, else the main class or archive, without arguments, which may hold secrets. */
    static String own() {
        String chosen = System.getProperty(PROPERTY);
        return chosen != null ? chosen : ofCommand(System.getProperty("sun.java.command", "java"));
    }

    static String ofCommand(String command) {
        String main = command.split(" ", 2)[0];
        String file = main.substring(main.lastIndexOf('/') + 1);
        return file.isEmpty() ? "java" : file;
    }
}
