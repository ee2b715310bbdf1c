package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program hands on to the application that is itself once more. */
final class JavaCommandTest {

    /** Prints what this JVM would start; with an argument, prints what this JVM was started with. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] args) throws IOException, InterruptedException {
            if (args.length > 0) {
                System.out.println(args[0] + " " + System.getProperty("test.word") + " "
                        + Runtime.getRuntime().maxMemory() / (1 << 20));
                return;
            }
            Process child = new ProcessBuilder(JavaCommand.of(Main.class, List.of("child"))).inheritIO().start();
            System.exit(child.waitFor());
        }
    }

    private static List<String> of(String classPath, String... options) {
        List<String> command = JavaCommand.of(Main.class, List.of("a", "b c"), List.of(options), classPath);
        assertTrue(command.get(0).endsWith("/bin/java"), command.get(0));
        return command.subList(1, command.size());
    }

    @Test
    void optionsAreHandedOn() {
        String path = System.getProperty("java.class.path");
        assertEquals(List.of("-Dx=y z", "-Xmx64m", "-XX:+UseSerialGC", "-cp", path, Main.class.getName(), "a", "b c"),
                of(null, "-Dx=y z", "-Xmx64m", "-XX:+UseSerialGC"));
        List<String> own = JavaCommand.of(Main.class, List.of("x"));
        assertEquals(List.of(Main.class.getName(), "x"), own.subList(own.size() - 2, own.size()));
        assertFalse(of("/of/the/environment").contains("-cp"), "the environment is handed on, too");
    }

    @Test
    void portsStayWithTheHull() {
        assertEquals(List.of("-Dcom.sun.management.jmxremote.ssl=false", Main.class.getName(), "a", "b c"),
                of("/x", "-agentlib:jdwp=transport=dt_socket,server=y,address=5005",
                        "-Dcom.sun.management.jmxremote.port=7000", "-Dcom.sun.management.jmxremote.ssl=false"));
    }

    @Test
    @Tag("slow")
    void aChildHasTheHeapAndThePropertiesOfItsParent() throws IOException {
        List<String> command = new ArrayList<>(List.of(JavaCommand.of(Main.class, List.of()).get(0), "-Dtest.word=two",
                "-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                Main.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes()).trim();
        String[] words = said.substring(said.indexOf("child")).split(" ");
        assertEquals("two", words[1], said);
        assertTrue(Integer.parseInt(words[2]) <= 48, said);
    }
}
