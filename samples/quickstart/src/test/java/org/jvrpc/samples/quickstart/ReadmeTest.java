package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example that README.md shows is compiled, runs, and is the one in README.md. */
final class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("jvrpc.root"));
    private static final Path EXAMPLE = ROOT.resolve(
            "samples/quickstart/src/main/java/org/jvrpc/samples/quickstart/TenLines.java");

    @Test
    void readmeShowsTheExampleThatIsCompiled() throws IOException {
        List<String> example = example();
        List<String> shown = readmeBlock();
        if (!shown.equals(example)) {
            fail("README.md differs from " + EXAMPLE.getFileName() + " (- README.md, + " + EXAMPLE.getFileName()
                    + "):\n" + difference(shown, example));
        }
    }

    @Test
    void theExampleGreets() {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            TenLines.main(new String[0]);
        } finally {
            System.setOut(out);
        }
        assertEquals("Hello, world", printed.toString(StandardCharsets.UTF_8).strip());
    }

    /** The lines between the marks, without the indentation that they have in common. */
    private static List<String> example() throws IOException {
        List<String> lines = Files.readAllLines(EXAMPLE);
        int from = lines.indexOf("    // README begins");
        int to = lines.indexOf("    // README ends");
        assertTrue(from >= 0 && to > from, EXAMPLE + " has no marks");
        return lines.subList(from + 1, to).stream().map(line -> line.isEmpty() ? line : line.substring(4)).toList();
    }

    /** The fenced block of Java whose first line is the annotation. */
    private static List<String> readmeBlock() throws IOException {
        Path readme = ROOT.resolve("README.md");
        assertTrue(Files.exists(readme), readme + " is missing");
        List<String> lines = Files.readAllLines(readme);
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).equals("```java") && lines.get(i + 1).startsWith("@RpcService")) {
                List<String> block = lines.subList(i + 1, lines.size());
                int end = block.indexOf("```");
                assertTrue(end >= 0, "the block that begins at line " + (i + 1) + " of README.md does not end");
                return block.subList(0, end);
            }
        }
        return fail("README.md has no block that begins with ```java and @RpcService");
    }

    /** Each line once, with a sign before those that only one side has. */
    private static String difference(List<String> left, List<String> right) {
        List<String> text = new ArrayList<>();
        int l = 0;
        int r = 0;
        while (l < left.size() || r < right.size()) {
            if (l < left.size() && r < right.size() && left.get(l).equals(right.get(r))) {
                text.add("  " + left.get(l++));
                r++;
            } else if (l < left.size() && !right.subList(r, right.size()).contains(left.get(l))) {
                text.add("- " + left.get(l++));
            } else if (r < right.size()) {
                text.add("+ " + right.get(r++));
            } else {
                text.add("- " + left.get(l++));
            }
        }
        return String.join("\n", text);
    }
}
