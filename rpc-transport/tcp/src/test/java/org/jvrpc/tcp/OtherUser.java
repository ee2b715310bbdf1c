package org.jvrpc.tcp;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A process of the user nobody, with the test's classes, which it may have no right to read where they are. */
final class OtherUser {

    static final String NAME = "nobody";
    private static final long LIMIT_S = 120;

    private final Path classes;
    private final String group;

    /**
     * @param folder which everybody may read
     * @param group number of its group
     */
    OtherUser(Path folder, String group) throws IOException {
        this.classes = Files.createDirectory(folder.resolve("classes"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        this.group = group;
        int number = 0;
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            copy(Path.of(part), classes.resolve(number++ + (part.endsWith(".jar") ? ".jar" : "")));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.exists(from)) {
            return;
        }
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes of) throws IOException {
                Files.createDirectory(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes of) throws IOException {
                Files.copy(file, file.equals(from) ? to : to.resolve(from.relativize(file).toString()),
                        StandardCopyOption.REPLACE_EXISTING);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Starts {@link #main} as that user. */
    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("setpriv", "--reuid=" + NAME, "--regid=" + group, "--clear-groups"));
        StringBuilder path = new StringBuilder();
        try (var parts = Files.list(classes)) {
            parts.forEach(part -> path.append(path.isEmpty() ? "" : File.pathSeparator).append(part));
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
                "-Djava.io.tmpdir=/tmp", "-XX:TieredStopAtLevel=1", "-cp", path.toString(), OtherUser.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Runs it, and returns the line that it says. */
    String run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new AssertionError("does not end: " + List.of(arguments));
            }
            return new String(process.getInputStream().readAllBytes()).trim();
        } finally {
            process.destroyForcibly();
        }
    }

    /** What that user does: {@code call ADDRESS}, {@code serve ADDRESS}, or {@code listen PATH} until it is killed. */
    public static void main(String[] arguments) throws Exception {
        try {
            switch (arguments[0]) {
                case "call" -> {
                    try (RpcClient client = RpcClient.connect(arguments[1])) {
                        System.out.println("sum=" + client.stub(Adder.class).add(2, 3));
                    }
                }
                case "serve" -> {
                    try (RpcServer server = RpcServer.builder().bind(arguments[1])
                            .service(Adder.class, Integer::sum).start()) {
                        System.out.println("serves " + server.address());
                    }
                }
                default -> {
                    try (ServerSocketChannel trap = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                        trap.bind(UnixDomainSocketAddress.of(arguments[1]));
                        Files.setPosixFilePermissions(Path.of(arguments[1]),
                                PosixFilePermissions.fromString("rwxrwxrwx"));
                        System.out.println("listens");
                        trap.accept();
                        Thread.sleep(TimeUnit.SECONDS.toMillis(LIMIT_S));
                    }
                }
            }
        } catch (RuntimeException | IOException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }
}
