package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class LivePageTest {

    private static final String HOSTILE = "\"</script>&\u2028\\";

    private final CannedData data = new CannedData(60, HOSTILE);
    private WatchServer server;

    @BeforeEach
    void start() throws IOException {
        server = WatchServer.bind(null, 0, List.of());
        LivePage.serve(server, data);
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Wire.Answer get(String path) throws IOException {
        return Wire.get(server, path, "");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> json(String path) throws IOException {
        Wire.Answer answer = get(path);
        assertEquals(200, answer.status(), answer::text);
        assertEquals("application/json", answer.header("content-type"));
        LoaderOptions options = new LoaderOptions();
        return (Map<String, Object>) new Yaml(new SafeConstructor(options)).load(new StringReader(answer.text()));
    }

    @Test
    void thePageRunsNothingButWhatItNames() throws IOException {
        Wire.Answer page = get("/");
        String policy = page.header("content-security-policy");
        assertTrue(policy.contains("script-src 'sha256-") && policy.contains("style-src 'sha256-"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertFalse(Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(")
                .matcher(page.text()).find(), "text may become elements");
        assertFalse(Pattern.compile("//[a-z]").matcher(page.text().replace("http://www.w3.org/2000/svg", "")).find(),
                "an address of another host");
    }

    @Test
    void aMatrixIsTheNewestUnlessAWindowIsNamed() throws IOException {
        Wire.Answer newest = get("/api/matrix?what=loss");
        assertEquals(Long.toString(data.window), newest.header("watch-window"));
        assertEquals("60", newest.header("watch-width"));
        assertEquals("7", newest.header("watch-epoch"));
        assertEquals("pairs", newest.header("watch-of"));
        assertArrayEquals(data.pairs(data.window, PageData.Shown.LOSS).cells(), newest.body());
        assertArrayEquals(data.pairs(data.window - 1, PageData.Shown.P50).cells(),
                get("/api/matrix?what=p50&window=" + (data.window - 1)).body());
        assertEquals(404, get("/api/matrix?window=" + (data.window + 1)).status());
    }

    @Test
    void wherePairsAreNotKeptAnyMoreRacksAreShown() throws IOException {
        String old = "window=" + (data.window - 100);
        assertEquals(404, get("/api/matrix?of=pairs&" + old).status());
        Wire.Answer kept = get("/api/matrix?of=kept&" + old);
        assertEquals("racks", kept.header("watch-of"));
        assertEquals(16, kept.body().length);
        assertArrayEquals(kept.body(), get("/api/matrix?of=racks&" + old).body());
    }

    @Test
    void beforeTheFirstWindowThereIsNoMatrix() throws IOException {
        data.window = -1;
        Wire.Answer answer = get("/api/matrix");
        assertEquals(404, answer.status());
        assertEquals("no window is finished yet\n", answer.text());
    }

    @Test
    void questionsAreCheckedBeforeAnyoneIsAsked() throws IOException {
        assertEquals("what=mean, not one of [p50, p99, loss]\n", get("/api/matrix?what=mean").text());
        assertEquals("b is missing\n", get("/api/pair?a=1").text());
        assertEquals("a=x is no id\n", get("/api/pair?a=x&b=2").text());
        assertEquals(400, get("/api/series?from=r1").status());
    }

    @Test
    void namesComeThroughAsTheyAre() throws IOException {
        Map<String, Object> hosts = json("/api/hosts");
        assertEquals(HOSTILE + "h0", ((List<?>) hosts.get("names")).get(0));
        assertEquals(60, ((List<?>) hosts.get("rackOf")).size());
        assertEquals(128, ((List<?>) hosts.get("timesNs")).size());
        String rack = URLEncoder.encode(HOSTILE + "r0", StandardCharsets.UTF_8);
        String pod = URLEncoder.encode(HOSTILE + "pod0", StandardCharsets.UTF_8);
        String both = "/api/series?from=" + rack + "&fromPod=" + pod + "&to=" + rack + "&toPod=" + pod;
        assertEquals(2880, ((List<?>) json(both).get("window")).size());
        assertEquals(0, ((List<?>) json("/api/series?from=none&fromPod=" + pod + "&to=" + rack + "&toPod=" + pod)
                .get("window")).size());
    }

    @Test
    void listsAreWhole() throws IOException {
        assertEquals("HOST", ((Map<?, ?>) ((List<?>) json("/api/verdicts").get("rows")).get(0)).get("kind"));
        assertEquals(2, json("/api/alerts").get("all"));
        assertEquals(60, ((List<?>) json("/api/agents").get("rows")).size());
        assertEquals(List.of(0, 1), ((List<?>) json("/api/hosts").get("ids")).subList(0, 2));
        assertEquals(data.window, ((Number) json("/api/summary").get("window")).longValue());
    }
}
