package org.jvrpc.samples.cookbook.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of a page that is said to be lines of a source: {@code <!-- snippet: FILE#REGION -->} stands in the
 * line above it. A file without a slash is one of the cookbook's, the region is between the lines
 * {@code // REGION begins} and {@code // REGION ends}, {@code snippet} unless another is named; {@code all} is the
 * file, and {@code pre} the first preformatted part of its Javadoc, {@code pre2} the second.
 *
 * @param page where it is shown
 * @param line of the mark, the first is 0
 * @param source the file
 * @param region its part
 */
record Snippet(Path page, int line, Path source, String region) {

    private static final Pattern MARK = Pattern.compile("<!-- snippet: ([^#\\s]+)(?:#(\\w+))? -->");
    private static final Path COOKBOOK =
            Pages.ROOT.resolve("samples/cookbook/src/main/java/org/jvrpc/samples/cookbook");

    /** Returns the programs of the cookbook, whatever room they are in. */
    static List<Path> examples() {
        try (Stream<Path> files = Files.walk(COOKBOOK)) {
            return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path example(String file) {
        return examples().stream().filter(each -> each.endsWith(file)).findAny().orElse(COOKBOOK.resolve(file));
    }

    /** Returns the snippets of a page, in their order. */
    static List<Snippet> of(Path page) {
        List<Snippet> snippets = new ArrayList<>();
        List<String> lines = Pages.lines(page);
        for (int i = 0; i < lines.size(); i++) {
            Matcher mark = MARK.matcher(lines.get(i));
            if (mark.matches()) {
                String file = mark.group(1);
                snippets.add(new Snippet(page, i, file.contains("/") ? Pages.ROOT.resolve(file) : example(file),
                        mark.group(2) == null ? "snippet" : mark.group(2)));
            }
        }
        return snippets;
    }

    /** Returns what the source has, without the indentation that its lines have in common. */
    List<String> inSource() throws IOException {
        List<String> lines = Files.readAllLines(source);
        if (region.equals("all")) {
            return lines;
        }
        if (region.startsWith("pre")) {
            return preformatted(lines, region.equals("pre") ? 1 : Integer.parseInt(region.substring(3)));
        }
        int from = indexOf(lines, region + " begins");
        int to = indexOf(lines, region + " ends");
        if (from < 0 || to < from) {
            throw new IOException(source + " has no region " + region);
        }
        return dedented(lines.subList(from + 1, to));
    }

    private static List<String> dedented(List<String> part) {
        int indentation = part.stream().filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length()).min().orElse(0);
        return part.stream().map(line -> line.isBlank() ? "" : line.substring(indentation)).toList();
    }

    private List<String> preformatted(List<String> lines, int which) throws IOException {
        int seen = 0;
        for (int from = 0; from < lines.size(); from++) {
            if (lines.get(from).strip().endsWith("<pre>") && ++seen == which) {
                List<String> part = lines.subList(from + 1, lines.size()).stream()
                        .takeWhile(line -> !line.contains("</pre>"))
                        .map(line -> line.replaceFirst("^ *\\* ?", "").replace("&lt;", "<").replace("&gt;", ">")
                                .replace("&amp;", "&").replaceAll("\\{@(?:code|link) ([^}]*)}", "$1"))
                        .toList();
                return dedented(part);
            }
        }
        throw new IOException(source + " has no preformatted part " + which);
    }

    private static int indexOf(List<String> lines, String mark) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().matches("(//|#) " + mark)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the first line of the fenced block, and the one behind its last. @throws IOException without a block */
    int[] block() throws IOException {
        List<String> lines = Pages.lines(page);
        if (line + 1 >= lines.size() || !lines.get(line + 1).startsWith("```")) {
            throw new IOException(this + ": no fenced block follows");
        }
        for (int end = line + 2; end < lines.size(); end++) {
            if (lines.get(end).equals("```")) {
                return new int[] {line + 2, end};
            }
        }
        throw new IOException(this + ": the block does not end");
    }

    @Override
    public String toString() {
        return page + ":" + (line + 1) + " " + source.getFileName() + "#" + region;
    }
}
