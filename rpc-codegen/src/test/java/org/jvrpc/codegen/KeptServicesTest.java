package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API has services of its own, and is compiled without the processor: what it would write is kept there. */
class KeptServicesTest {

    private static final Path MAIN = Path.of("..", "rpc-api", "src", "main");
    private static final String API = "org/jvrpc/api/";

    @ParameterizedTest
    @CsvSource({"health, Health ServingStatus", "reflection, Reflection ServiceDescription MethodTraits",
        "admin, Admin SessionInfo Setting"})
    void whatIsKeptInTheApiIsWhatTheProcessorWrites(String room, String handwritten) throws IOException {
        Set<String> files = Arrays.stream(handwritten.split(" ")).map(name -> API + room + "/" + name + ".java")
                .collect(Collectors.toSet());
        List<Compilation.Source> sources = Compilation.Source.readAll(MAIN.resolve("java")).stream()
                .filter(source -> files.contains(source.name())).toList();
        Compilation written = Compilation.process(sources);
        assertEquals(List.of(), written.messages());
        for (Map.Entry<String, String> file : written.generated().entrySet()) {
            assertEquals(file.getValue(), Files.readString(MAIN.resolve("java").resolve(file.getKey())), file.getKey());
        }
        assertEquals(6, written.generated().size());
        assertEquals(2, written.resources().size());
        for (Map.Entry<String, String> file : written.resources().entrySet()) {
            assertEquals(file.getValue(), Files.readString(MAIN.resolve("resources").resolve(file.getKey())),
                    file.getKey());
        }
    }
}
