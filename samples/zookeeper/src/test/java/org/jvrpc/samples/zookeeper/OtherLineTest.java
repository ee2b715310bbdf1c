package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** The plugin beside a ZooKeeper of another line, as released: both halves refuse it. */
class OtherLineTest {

    @TempDir
    private Path folder;

    /** Has a half of the plugin made, as its user would, and says what ZooKeeper told. */
    static final class Main {

        private Main() {
        }

        /** @param args client or server */
        public static void main(String[] args) {
            try {
                if (args[0].equals("client")) {
                    new ZooKeeper("127.0.0.1:1", 3000, event -> { });
                } else {
                    ServerCnxnFactory.createFactory();
                }
                System.out.println("made");
            } catch (IOException | RuntimeException e) {
                for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                    System.out.println(cause);
                }
            }
            System.exit(0);
        }
    }

    private static String classPath() throws IOException {
        String others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("zookeeper-"))
                .collect(Collectors.joining(File.pathSeparator));
        try (Stream<Path> jars = Files.list(Path.of("target", "other-line"))) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator))
                    + File.pathSeparator + others;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "server"})
    void bothHalvesRefuseAnotherLineByName(String half) throws Exception {
        try (ChildJvm child = JavaCommand.of(Main.class).classPath(classPath())
                .property("zookeeper.clientCnxnSocket", PluginServer.JVRPC)
                .property("zookeeper.serverCnxnFactory", "org.apache.zookeeper.server.JvrpcServerCnxnFactory")
                .property("own.log", folder.resolve("log")).arguments(half).start()) {
            child.expectEnd();
            String said = String.join("\n", child.output());
            assertTrue(said.contains("the jvRPC plugin is made for ZooKeeper 3.9.x, this is 3.8."), said);
        }
    }
}
