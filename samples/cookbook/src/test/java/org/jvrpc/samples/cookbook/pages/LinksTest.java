package org.jvrpc.samples.cookbook.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Links of all pages lead to files of the repository and to headings that are there; the menu has every page. */
final class LinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int seen = 0;
        for (Path page : Pages.all()) {
            List<String> lines = Pages.prose(Pages.lines(page));
            for (int i = 0; i < lines.size(); i++) {
                Matcher link = LINK.matcher(lines.get(i).replaceAll("`[^`]*`", ""));
                while (link.find()) {
                    seen++;
                    if (!leadsSomewhere(page, link.group(1))) {
                        broken.add(page + ":" + (i + 1) + " " + link.group(1));
                    }
                }
            }
        }
        assertTrue(seen >= 50, "links found: " + seen);
        assertEquals(List.of(), broken);
    }

    @Test
    void aLinkThatLeadsNowhereIsFound() {
        Path page = Path.of("README.md");
        assertTrue(leadsSomewhere(page, "SECURITY.md"));
        assertTrue(leadsSomewhere(page, "SECURITY.md#versions"));
        assertEquals(List.of(false, false), List.of(leadsSomewhere(page, "SECRECY.md"),
                leadsSomewhere(page, "SECURITY.md#verses")));
    }

    private static boolean leadsSomewhere(Path page, String link) {
        if (link.matches("[a-z]+:.*")) {
            return true; // of the web: not looked at
        }
        String[] parts = link.split("#", 2);
        Path target = Pages.ROOT.resolve(page).resolveSibling(parts[0]).normalize();
        if (parts[0].isEmpty()) {
            target = Pages.ROOT.resolve(page);
        }
        return Files.exists(target) && target.startsWith(Pages.ROOT)
                && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** Returns what a page may be linked at: its anchors, and its headings as they become anchors of their own. */
    private static Set<String> anchors(Path page) {
        List<String> lines = Pages.prose(Pages.lines(page));
        Set<String> anchors = lines.stream().filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
        lines.forEach(line -> ANCHOR.matcher(line).results().forEach(found -> anchors.add(found.group(1))));
        return anchors;
    }

    @Test
    void linksWithinTheSiteHaveAnchorsThatTheSiteHas() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page : Pages.all()) {
            if (page.startsWith("docs")) {
                for (String line : Pages.prose(Pages.lines(page))) {
                    LINK.matcher(line).results().map(link -> link.group(1)).filter(link -> link.contains("#"))
                            .filter(link -> !explicit(page, link)).forEach(link -> wrong.add(page + " " + link));
                }
            }
        }
        assertEquals(List.of(), wrong, "headings have other names in the site: write <a id=\"…\"></a> above them");
    }

    private static boolean explicit(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? Pages.ROOT.resolve(page)
                : Pages.ROOT.resolve(page).resolveSibling(parts[0]).normalize();
        return link.matches("[a-z]+:.*") || Pages.lines(target).stream()
                .anyMatch(line -> line.contains("<a id=\"" + parts[1] + "\">"));
    }

    @Test
    void theMenuHasEveryPage() throws IOException {
        String menu = Files.readString(Pages.ROOT.resolve("docs/src/site/site.xml"));
        for (Path page : Pages.all()) {
            if (page.startsWith("docs")) {
                String name = page.getFileName().toString().replace(".md", ".html");
                assertTrue(menu.contains("href=\"" + name + "\""), "the menu lacks " + name);
            }
        }
        Matcher item = Pattern.compile("href=\"([^\"]+)\\.html\"").matcher(menu);
        while (item.find()) {
            String name = item.group(1) + ".md";
            Path file = name.startsWith("repository/") ? Pages.ROOT.resolve(name.substring("repository/".length()))
                    : Pages.SITE.resolve(name);
            assertTrue(Files.exists(file), "the menu has " + item.group(1) + ", which is not there");
        }
    }
}
