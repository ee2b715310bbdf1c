package org.jvrpc.samples.cookbook.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown files of the repository: those of the site, README and the others. Any thread. */
final class Pages {

    static final Path ROOT = Path.of(System.getProperty("jvrpc.root")).toAbsolutePath().normalize();
    static final Path SITE = ROOT.resolve("docs/src/site/markdown");

    private static final int DEPTH = 8;

    private Pages() {
    }

    /** Returns all of them, as paths in the repository, sorted. */
    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.find(ROOT, DEPTH, (file, kind) -> file.toString().endsWith(".md"))) {
            return files.map(ROOT::relativize).filter(Pages::isSource).sorted().toList();
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : file) {
            if (part.toString().equals("target") || part.toString().startsWith(".")) {
                return false;
            }
        }
        return true;
    }

    /** Returns the lines of a page. */
    static List<String> lines(Path page) {
        try {
            return Files.readAllLines(ROOT.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a text without its fenced blocks, whose lines are empty here. */
    static List<String> prose(List<String> lines) {
        boolean[] fenced = new boolean[1];
        return lines.stream().map(line -> {
            boolean fence = line.strip().startsWith("```");
            fenced[0] ^= fence;
            return fence || fenced[0] ? "" : line;
        }).toList();
    }
}
