package org.jvrpc.tools.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.fabric.experiment.SlowReceiver;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.trace.Page;
import org.jvrpc.fabric.trace.Recorder;
import org.jvrpc.fabric.trace.Series;

/** The page as a browser shows it, at times that its address names. */
class PageInBrowserTest {

    private static final String HOSTILE = "</script><script>document.title='taken'</script>&\"'@DATA@";
    private static final int TIME_LIMIT_S = 60;

    private static String browser;

    @TempDir
    static Path folder;

    private static final Recorder RECORDER = new Recorder(200, device -> HOSTILE + device.mac());

    @BeforeAll
    static void write() throws Exception {
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            for (String path : System.getenv("PATH").split(":")) {
                if (browser == null && Files.isExecutable(Path.of(path, name))) {
                    browser = Path.of(path, name).toString();
                }
            }
        }
        assumeTrue(browser != null, "this machine has no chromium");
        SlowReceiver.run(4096, 2000, 1 << 20, 1_000_000, BufferSettings.defaults().withFixed(180_000), 2_000_000, 1,
                RECORDER);
        Files.writeString(folder.resolve("page.html"), Page.of(RECORDER, "A <b>title</b> " + HOSTILE, HOSTILE));
    }

    /** Returns what the browser made of the page at a time. */
    private static String dom(long timeNs) throws Exception {
        List<String> command = new ArrayList<>(List.of(browser, "--headless", "--disable-gpu", "--no-first-run",
                "--user-data-dir=" + folder.resolve("profile"), "--dump-dom"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox");
        }
        command.add(folder.resolve("page.html").toUri() + "#t=" + timeNs);
        Path out = folder.resolve("dom");
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(out.toFile()).start();
        try {
            assertTrue(process.waitFor(TIME_LIMIT_S, TimeUnit.SECONDS), "the browser has not ended");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    private static String text(String dom, String id) {
        Matcher found = Pattern.compile("id=\"" + id + "\"[^>]*>([^<]*)<").matcher(dom);
        assertTrue(found.find(), () -> "no element " + id + " in\n" + dom);
        return found.group(1);
    }

    private static int count(String dom, String what) {
        return dom.split(Pattern.quote(what), -1).length - 1;
    }

    /** Returns the first sample at which somebody was paused all the time, or nobody at all. */
    private static int sample(boolean paused) {
        List<Series> all = RECORDER.paused();
        for (int i = 0; i < RECORDER.timesNs().length; i++) {
            int at = i;
            if (all.stream().anyMatch(series -> series.values()[at] > 50) == paused
                    && (paused || all.stream().allMatch(series -> series.values()[at] == 0))) {
                return i;
            }
        }
        throw new AssertionError("there is no such sample");
    }

    @Test
    void theScrubberIsWhereTheAddressSaysAndAllElseFollows() throws Exception {
        int quiet = sample(false);
        int busy = sample(true);
        String atQuiet = dom(RECORDER.timesNs()[quiet]);
        String atBusy = dom(RECORDER.timesNs()[busy]);
        assertEquals("nobody", text(atQuiet, "pausers"));
        assertTrue(text(atBusy, "time").startsWith(String.format(Locale.ROOT, "%.3f", RECORDER.timesNs()[busy] / 1e6)),
                () -> text(atBusy, "time"));
        assertNotEquals(text(atQuiet, "time"), text(atBusy, "time"));
        Series highest = Series.highest(RECORDER.stored(), 1).get(0);
        String value = String.format(Locale.ROOT, "%,d", (long) highest.values()[busy]);
        assertTrue(atBusy.contains(">" + value + "</td>"), () -> value + " is not in\n" + atBusy);
    }

    @Test
    void somebodyPausesSomebodyAndAnArrowSaysSo() throws Exception {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < RECORDER.timesNs().length && found.isEmpty(); i++) {
            if (RECORDER.pausing(i) > 0) {
                found.add(i);
            }
        }
        String dom = dom(RECORDER.timesNs()[found.get(0)]);
        assertTrue(text(dom, "pausers").contains(" pauses "), () -> text(dom, "pausers"));
        assertEquals(RECORDER.pausing(found.get(0)), count(dom, "class=\"pausing\""));
    }

    @Test
    void namesAreTextWhateverTheyAre() throws Exception {
        String dom = dom(0);
        assertEquals(2, count(dom, "<script"), "the page's own scripts are its only ones");
        assertTrue(dom.contains("<title>A &lt;b&gt;title&lt;/b&gt; &lt;/script&gt;"), dom);
        assertEquals(HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), text(dom, "result"));
    }
}
