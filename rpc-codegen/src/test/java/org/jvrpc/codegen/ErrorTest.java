package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.codegen.Compilation.Message;
import org.jvrpc.codegen.Compilation.Source;

/**
 * Whole files under {@code src/test/resources/errors}, in which {@code // ERROR text} at the end of a line says which
 * error stands there. A file has those errors and no others.
 */
class ErrorTest {

    private static final Path ROOT = Path.of("src", "test", "resources", "errors");

    static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachErrorStandsWhereItIsCaused(String file) throws IOException {
        String text = Files.readString(ROOT.resolve(file));
        List<String> actual = Compilation.process(List.of(new Source("org/acme/" + file, text))).messages().stream()
                .filter(message -> message.kind() == Diagnostic.Kind.ERROR)
                .map(message -> message.line() + ": " + message.text())
                .sorted()
                .toList();
        assertEquals(String.join("\n", expected(text)), String.join("\n", actual));
    }

    private static List<String> expected(String text) {
        List<String> expected = new ArrayList<>();
        String[] lines = text.split("\n");
        for (int i = 0; i < lines.length; i++) {
            String[] parts = lines[i].split(" // ERROR ");
            for (int j = 1; j < parts.length; j++) {
                expected.add(i + 1 + ": " + parts[j].strip());
            }
        }
        return expected.stream().sorted().toList();
    }

    @Test
    void nothingIsGeneratedForAServiceWithAnError() throws IOException {
        String text = Files.readString(ROOT.resolve("Methods.java"));
        assertTrue(Compilation.process(List.of(new Source("org/acme/Methods.java", text))).generated().isEmpty());
    }

    @Test
    void aTypeThatNobodyWritesIsAnErrorOfTheCompilersAlone() {
        String text = """
                package org.acme;
                @org.jvrpc.api.RpcService interface Waits {
                    Missing find(java.util.List<Missing> list);
                    void wrong(Thread thread);
                }
                """;
        List<Message> messages = Compilation.process(List.of(new Source("org/acme/Waits.java", text))).messages()
                .stream().filter(message -> message.kind() == Diagnostic.Kind.ERROR).toList();
        assertEquals(2, messages.size(), messages::toString);
        assertTrue(messages.stream().allMatch(message -> message.text().contains("class Missing")), messages::toString);
    }
}
