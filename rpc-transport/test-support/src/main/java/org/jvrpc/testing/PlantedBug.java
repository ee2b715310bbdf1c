package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A change of a source that makes it wrong, for tests of what looks for faults. A file of them has for each: a line
 * {@code == NAME}, one {@code search: SEARCH} or {@code simulation: SEARCH}, one {@code file: FILE}, one {@code ---},
 * what stands there, a line {@code +++}, and what is to stand there.
 *
 * @param search that is to find it, by a name
 * @param file in which {@code is} stands once
 */
public record PlantedBug(String name, String search, String file, String is, String becomes) {

    /** Compiled classes in a folder of their own, in front of those of the build, which a loader of its own loads. */
    public static final class Classes implements AutoCloseable {

        private final Path folder;
        private final URLClassLoader loader;

        private Classes(Path folder) throws MalformedURLException {
            this.folder = folder;
            List<URL> urls = new ArrayList<>(List.of(folder.toUri().toURL()));
            for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(Path.of(each).toUri().toURL());
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }

        public ClassLoader loader() {
            return loader;
        }

        /** Compiles one more class, from its source. */
        public void compile(String simpleName, String source) throws IOException {
            Path file = folder.resolve(simpleName + ".java");
            Files.writeString(file, source);
            assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-nowarn", "-cp",
                    System.getProperty("java.class.path"), "-d", folder.toString(), file.toString()), source);
        }

        /** Removes all of it. */
        @Override
        public void close() throws IOException {
            loader.close();
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /** Reads those of a file. */
    public static List<PlantedBug> read(InputStream file) throws IOException {
        String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        return Stream.of(text.split("(?m)^== ")).skip(1).map(PlantedBug::parse).toList();
    }

    private static PlantedBug parse(String text) {
        String[] parts = text.stripTrailing().split("\n---\n|\n\\+\\+\\+\n|\n(simulation|search|file): ");
        assertEquals(5, parts.length, text);
        return new PlantedBug(parts[0], parts[1], parts[2], parts[3], parts[4]);
    }

    /** Returns classes without any bug, to be closed. */
    public static Classes none() throws IOException {
        return new Classes(Files.createTempDirectory("planted"));
    }

    /** Compiles the changed file alone; returns classes with it, to be closed. */
    public Classes plant(Path sources) throws IOException {
        String source = Files.readString(sources.resolve(file));
        int at = source.indexOf(is);
        assertTrue(at >= 0 && source.indexOf(is, at + 1) < 0, "its place is not in the sources any more, once");
        Classes classes = none();
        classes.compile(Path.of(file).getFileName().toString().replace(".java", ""), source.replace(is, becomes));
        return classes;
    }
}
