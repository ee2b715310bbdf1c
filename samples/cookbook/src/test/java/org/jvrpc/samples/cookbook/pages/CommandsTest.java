package org.jvrpc.samples.cookbook.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.tools.Jvrpc;

/** Commands that pages of the site show are there, and have the options that they are shown with. */
final class CommandsTest {

    private static final Pattern SCRIPT = Pattern.compile("(samples|benchmarks|rpc-transport|\\.ci)/[a-z/-]+");
    private static final Map<String, String> HELP = new TreeMap<>();

    @Test
    void commandsAndOptionsAreThere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Path page : Pages.all()) {
            if (page.startsWith("docs")) {
                for (String line : shown(page)) {
                    List<String> words = List.of(line.strip().replaceFirst("^\\$ ", "").replaceFirst(" +#.*", "")
                            .split(" +"));
                    seen += look(page + ": " + line.strip(), words, wrong) ? 1 : 0;
                }
            }
        }
        assertTrue(seen >= 20, "commands found: " + seen);
        assertEquals(List.of(), wrong);
    }

    @Test
    void anOptionThatIsNotThereIsFound() {
        List<String> wrong = new ArrayList<>();
        look("page", List.of("jvrpc", "health", "--wach", "ADDRESS"), wrong);
        look("page", List.of("samples/quickstart/runn"), wrong);
        assertEquals(List.of("page: jvrpc health has no --wach", "page: no file samples/quickstart/runn"), wrong);
    }

    /** The lines of fenced blocks without a language. */
    private static List<String> shown(Path page) {
        List<String> commands = new ArrayList<>();
        boolean inside = false;
        for (String line : Pages.lines(page)) {
            if (line.startsWith("```")) {
                inside = !inside && line.equals("```");
            } else if (inside) {
                commands.add(line);
            }
        }
        return commands;
    }

    private static boolean look(String where, List<String> words, List<String> wrong) {
        String command = words.get(0);
        if (command.equals("jvrpc") || command.endsWith("tools/jvrpc")) {
            jvrpc(where, words, wrong);
            return true;
        }
        if (!SCRIPT.matcher(command).matches()) {
            return false;
        }
        if (!Files.isExecutable(Pages.ROOT.resolve(command))) {
            wrong.add(where + ": no file " + command);
        }
        return true;
    }

    private static void jvrpc(String where, List<String> words, List<String> wrong) {
        String name = words.get(1);
        String help = help(name);
        int next = 2;
        while (next < words.size() && words.get(next).matches("[a-z-]+")
                && help.matches("(?s).*\\n  " + words.get(next) + "\\b.*")) {
            name += " " + words.get(next++);
            help = help(name);
        }
        if (help.isEmpty()) {
            wrong.add(where + ": no command jvrpc " + name);
        }
        for (String word : words.subList(next, words.size())) {
            if (word.startsWith("--") && !help.contains(word)) {
                wrong.add(where + ": jvrpc " + name + " has no " + word);
            }
        }
    }

    /** What {@code jvrpc NAME --help} prints; empty when there is no such command. */
    private static String help(String name) {
        return HELP.computeIfAbsent(name, ignored -> {
            PrintStream out = System.out;
            PrintStream err = System.err;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
            try {
                List<String> arguments = new ArrayList<>(List.of(name.split(" ")));
                arguments.add("--help");
                return Jvrpc.run(arguments.toArray(String[]::new)) == 0
                        ? printed.toString(StandardCharsets.UTF_8) : "";
            } finally {
                System.setOut(out);
                System.setErr(err);
            }
        });
    }
}
