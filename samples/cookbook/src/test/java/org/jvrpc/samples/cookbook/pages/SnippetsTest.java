package org.jvrpc.samples.cookbook.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Java in pages is Java that is compiled: each block with a mark is what its source has. With
 * {@code -Djvrpc.docs.write=true} the pages are written from the sources, and the run fails.
 */
final class SnippetsTest {

    private static final boolean WRITE = Boolean.getBoolean("jvrpc.docs.write");

    @Test
    void pagesShowWhatIsCompiled() throws IOException {
        List<String> differing = new ArrayList<>();
        int seen = 0;
        for (Path page : Pages.all()) {
            List<Snippet> snippets = Snippet.of(page);
            seen += snippets.size();
            for (int i = snippets.size() - 1; i >= 0; i--) { // from the end: what is written moves what follows
                compare(snippets.get(i), differing);
            }
        }
        assertTrue(seen >= 40, "snippets found: " + seen);
        assertEquals(List.of(), differing, "run with -Djvrpc.docs.write=true to write them");
    }

    private static void compare(Snippet snippet, List<String> differing) throws IOException {
        List<String> page = new ArrayList<>(Pages.lines(snippet.page()));
        int[] block = snippet.block();
        List<String> shown = page.subList(block[0], block[1]);
        List<String> source = snippet.inSource();
        if (!shown.equals(source)) {
            differing.add(snippet.toString());
            if (WRITE) {
                shown.clear();
                page.addAll(block[0], source);
                Files.write(Pages.ROOT.resolve(snippet.page()), page);
            }
        }
    }

    @Test
    void everyProgramOfTheCookbookIsShown() throws IOException {
        Set<String> shown = new TreeSet<>();
        for (Path page : Pages.all()) {
            Snippet.of(page).forEach(snippet -> shown.add(snippet.source().getFileName().toString()));
        }
        assertEquals(Set.of(), Snippet.examples().stream().map(file -> file.getFileName().toString())
                .filter(name -> !shown.contains(name)).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void javaOfTheSiteIsComparedOrSaysWhyNot() throws IOException {
        List<String> free = new ArrayList<>();
        for (Path page : Pages.all()) {
            if (page.startsWith("docs")) {
                List<String> lines = Pages.lines(page);
                for (int i = 1; i < lines.size(); i++) {
                    String above = lines.get(i - 1);
                    if (lines.get(i).equals("```java") && !above.startsWith("<!-- snippet: ")
                            && !above.startsWith("<!-- not compiled: ")) {
                        free.add(page + ":" + (i + 1));
                    }
                }
            }
        }
        assertEquals(List.of(), free,
                "a block of Java has a line above it: <!-- snippet: … --> or <!-- not compiled: why -->");
    }

    @Test
    void aPageThatDiffersIsFound() throws IOException {
        Snippet snippet = Snippet.of(Pages.SITE.resolve("cookbook.md")).get(0);
        List<String> changed = new ArrayList<>(snippet.inSource());
        changed.set(0, changed.get(0) + " ");
        assertNotEquals(snippet.inSource(), changed);
        try {
            new Snippet(snippet.page(), snippet.line(), snippet.source(), "nothing").inSource();
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("no region nothing"), e.getMessage());
            return;
        }
        fail("a region that is not there");
    }
}
