package org.jvrpc.samples.cookbook.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;

/** The page of errors has each status, and shows messages that the code has. */
final class ErrorsTest {

    private static final Path PAGE = Pages.SITE.resolve("errors.md");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final int DEPTH = 20;

    @Test
    void everyStatusHasItsRow() {
        String page = String.join("\n", Pages.lines(PAGE));
        assertEquals(List.of(), Arrays.stream(Status.values()).filter(status -> !page.contains("`" + status + "`"))
                .toList());
    }

    @Test
    void messagesAreThoseOfTheCode() throws IOException {
        String code = code();
        List<String> unknown = new ArrayList<>();
        int seen = 0;
        boolean messages = false;
        for (String line : Pages.lines(PAGE)) {
            messages = line.startsWith("| message ") || messages && line.startsWith("|");
            if (messages && !line.startsWith("| message ")) {
                Matcher quoted = QUOTED.matcher(line.substring(0, line.indexOf('|', 1)));
                while (quoted.find()) {
                    seen++;
                    if (!code.contains(quoted.group(1))) {
                        unknown.add(quoted.group(1));
                    }
                }
            }
        }
        assertTrue(seen >= 30, "messages found: " + seen);
        assertEquals(List.of(), unknown, "no source has these messages");
    }

    /** The main sources of what a call goes through. */
    private static String code() throws IOException {
        StringBuilder code = new StringBuilder();
        for (String module : List.of("rpc-api", "rpc-transport/runtime", "rpc-transport/tcp")) {
            Path sources = Pages.ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.find(sources, DEPTH, (file, kind) -> file.toString().endsWith(".java"))) {
                for (Path file : files.toList()) {
                    code.append(Files.readString(file));
                }
            }
        }
        return code.toString();
    }
}
