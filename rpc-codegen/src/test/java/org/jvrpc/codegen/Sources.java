package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.codegen.Compilation.Source;

/** Compiles files of the test tree with the processor. */
public final class Sources {

    private Sources() {
    }

    /** Returns the class files, by name. There must be no warning. */
    public static Map<String, byte[]> process(List<Path> files) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Path file : files) {
            sources.add(new Source(file.toString().replace("src/test/java/", ""), Files.readString(file)));
        }
        Compilation compilation = Compilation.process(sources, "-Xlint:all", "-Werror");
        assertEquals(List.of(), compilation.messages());
        return compilation.classes();
    }
}
