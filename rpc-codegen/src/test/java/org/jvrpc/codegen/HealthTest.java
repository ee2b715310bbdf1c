package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The API has a service of its own, and is compiled without the processor: what it would write is kept there. */
class HealthTest {

    private static final Path MAIN = Path.of("..", "rpc-api", "src", "main");
    private static final String ROOM = "org/jvrpc/api/health/";

    @Test
    void whatIsKeptInTheApiIsWhatTheProcessorWrites() throws IOException {
        List<Compilation.Source> sources = Compilation.Source.readAll(MAIN.resolve("java")).stream()
                .filter(source -> Set.of(ROOM + "Health.java", ROOM + "ServingStatus.java").contains(source.name()))
                .toList();
        Compilation written = Compilation.process(sources);
        assertEquals(List.of(), written.messages());
        for (Map.Entry<String, String> file : written.generated().entrySet()) {
            assertEquals(file.getValue(), Files.readString(MAIN.resolve("java").resolve(file.getKey())), file.getKey());
        }
        assertEquals(6, written.generated().size());
        assertEquals(1, written.resources().size());
        for (Map.Entry<String, String> file : written.resources().entrySet()) {
            assertEquals(file.getValue(), Files.readString(MAIN.resolve("resources").resolve(file.getKey())),
                    file.getKey());
        }
    }
}
