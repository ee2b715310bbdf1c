package org.jvrpc.testing.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jvrpc.testing.Waits;

/** The folder of a product, laid out as its own archive has it, with our archive unpacked in it. */
public final class Product {

    /** The archive that the build made: a path. Without it whoever asks is skipped. */
    private static final String ARCHIVE = "jvrpc.archive";
    private static final String OURS = "jvrpc";

    private final Path home;

    private Product(Path home) {
        this.home = home;
    }

    /** Begins with an empty folder. Skips the test where no archive was made. */
    public static Product in(Path home) throws IOException {
        assumeTrue(System.getProperty(ARCHIVE) != null, "no archive yet: run by the build's execution \"archive\"");
        return new Product(Files.createDirectories(home));
    }

    /** Returns the path of a file in it. */
    public Path path(String file) {
        return home.resolve(file);
    }

    /** Writes a file, and makes its folder. */
    public void file(String file, String content) throws IOException {
        Files.createDirectories(path(file).getParent());
        Files.writeString(path(file), content);
    }

    /** Unpacks the archive, as a user does. */
    public void unpack() throws IOException {
        String[] command = {"tar", "-xzf", System.getProperty(ARCHIVE), "-C", home.toString()};
        Ended tar = Ended.of(command);
        assertEquals(0, tar.status(), tar.toString());
    }

    /** Returns the version that the archive says it is of. */
    public String version() throws IOException {
        return Files.readString(path(OURS + "/VERSION")).trim();
    }

    /** Puts this JVM's jars into a folder as the product's own, in place of those there, without some by name. */
    public void putJars(String folder, String leftOut) throws IOException {
        Files.createDirectories(path(folder));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            String name = jar.getFileName().toString();
            if (name.endsWith(".jar") && !name.matches("(" + leftOut + ").*")) {
                Path target = path(folder).resolve(name);
                Files.deleteIfExists(target);
                try {
                    Files.createLink(target, jar);
                } catch (IOException e) {
                    Files.copy(jar, target); // of another file system
                }
            }
        }
    }

    /** Returns a class path of entries of the product, and behind them the tests' own classes without the module's. */
    public String classPath(String... entries) {
        String tests = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("test-classes") || entry.contains("test-support"))
                .collect(Collectors.joining(File.pathSeparator));
        return Arrays.stream(entries).map(entry -> home + "/" + entry).collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator + tests;
    }

    /** Runs a script of the archive, which must succeed, and returns the lines that it says. */
    public List<String> run(String script, String... arguments) throws IOException {
        Ended ended = script(script, arguments);
        assertEquals(0, ended.status(), ended.toString());
        return ended.lines();
    }

    /** Runs the script install, which must refuse and change nothing. */
    public void refused(String reason, String... arguments) throws IOException {
        String before = state();
        Ended ended = script("install", arguments);
        assertEquals(1, ended.status(), ended.toString());
        assertTrue(ended.toString().contains(reason) && ended.toString().contains("nothing was changed"),
                ended.toString());
        assertEquals(before, state());
    }

    private Ended script(String name, String... arguments) throws IOException {
        Stream<String> command = Stream.of(path(OURS + "/" + name).toString());
        return Ended.of(Stream.concat(command, Stream.of(arguments)).toArray(String[]::new));
    }

    /** Returns the product's files with their contents and permissions, without the folder of the archive. */
    public String state() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(file -> Files.isRegularFile(file) && !file.startsWith(path(OURS))).sorted()
                    .map(this::line).collect(Collectors.joining("\n"));
        }
    }

    private String line(Path file) {
        try {
            CRC32 sum = new CRC32();
            sum.update(Files.readAllBytes(file));
            return home.relativize(file) + " " + HexFormat.of().toHexDigits((int) sum.getValue()) + " "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A command that has ended: its exit status, and what it said. */
    private record Ended(int status, List<String> lines) {

        static Ended of(String... command) throws IOException {
            Path said = Files.createTempFile("jvrpc-test", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                        .redirectOutput(said.toFile());
                builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
                Process process = builder.start();
                process.getOutputStream().close();
                if (!process.waitFor(Waits.limitNs(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(String.join(" ", command) + " does not end; it said "
                            + Files.readString(said));
                }
                return new Ended(process.exitValue(), Files.readAllLines(said));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            } finally {
                Files.delete(said);
            }
        }

        @Override
        public String toString() {
            return "status=" + status + ", it said:\n" + String.join("\n", lines);
        }
    }
}
