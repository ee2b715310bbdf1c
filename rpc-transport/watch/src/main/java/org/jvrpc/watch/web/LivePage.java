package org.jvrpc.watch.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jvrpc.watch.web.PageData.Matrix;
import org.jvrpc.watch.web.PageData.Shown;

/**
 * The live page and what it fetches: {@code /} and, of JSON, {@code /api/summary}, {@code /api/hosts},
 * {@code /api/series[?from=RACK&fromPod=POD&to=RACK&toPod=POD]}, {@code /api/pair?a=ID&b=ID}, {@code /api/alerts},
 * {@code /api/verdicts}, {@code /api/agents}; and
 * {@code /api/matrix[?window=W][&what=p50|p99|loss][&of=kept|pairs|racks]},
 * one byte a pair as {@link Cells} says, with the headers {@code Watch-Window}, {@code Watch-Epoch},
 * {@code Watch-Width} and {@code Watch-Of}: pairs or racks ({@code kept}: racks when pairs are not kept any more).
 */
public final class LivePage {

    private static final String RESOURCE = "page.html";
    private static final long MATRIX_BYTES = 8 << 20;
    private static final int MATRICES = 24;
    private static final int SERIES = 64;
    private static final long SERIES_BYTES = 4 << 20;
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final PageData data;
    private final WatchServer server;
    private final SharedBodies matrices;

    private LivePage(WatchServer server, PageData data) {
        this.server = server;
        this.data = data;
        this.matrices = new SharedBodies(MATRICES, MATRIX_BYTES, Long.MAX_VALUE, server.clock());
    }

    /** Adds the page's paths to a server. */
    public static void serve(WatchServer server, PageData data) {
        LivePage page = new LivePage(server, data);
        Body html = html();
        server.get("/", query -> html);
        server.get("/api/matrix", page::matrix);
        page.json("/api/summary", 1, query -> Answers.of(data.summary()));
        page.json("/api/hosts", 1, query -> Answers.of(data.layout()));
        page.json("/api/alerts", 1, query -> Answers.ofAlerts(data.alerts()));
        page.json("/api/verdicts", 1, query -> Answers.ofVerdicts(data.verdicts()));
        page.json("/api/agents", 1, query -> Answers.ofAgents(data.agents()));
        page.json("/api/pair", SERIES, query -> Answers.ofPoints(data.pairSeries(query.id("a"), query.id("b"))));
        page.json("/api/series", SERIES, page::series);
    }

    private interface Maker {

        String make(Query query);
    }

    private void json(String path, int most, Maker maker) {
        SharedBodies shared = new SharedBodies(most, SERIES_BYTES, FRESH_NS, server.clock());
        server.get(path, query -> shared.get(query.key(), () -> Body.json(maker.make(query))));
    }

    private String series(Query query) {
        if (query.text("from") == null && query.text("to") == null) {
            return Answers.ofPoints(data.fabricSeries());
        }
        return Answers.ofPoints(data.rackSeries(new Layout.Rack(query.needed("fromPod"), query.needed("from")),
                new Layout.Rack(query.needed("toPod"), query.needed("to"))));
    }

    private Body matrix(Query query) {
        Shown shown = choice(query, "what", Shown.values());
        Of of = choice(query, "of", Of.values());
        long window = query.number("window", -1);
        long asked = window >= 0 ? window : data.summary().window();
        if (asked < 0) {
            return Body.refusal(404, "no window is finished yet");
        }
        Body body = of == Of.RACKS ? null : matrix(asked, shown, Of.PAIRS);
        return body == null && of != Of.PAIRS ? matrix(asked, shown, Of.RACKS) : body;
    }

    private Body matrix(long window, Shown shown, Of of) {
        return matrices.get(List.of(data.layout().epoch(), window, shown, of), () -> {
            Matrix matrix = of == Of.RACKS ? data.racks(window, shown) : data.pairs(window, shown);
            return matrix == null ? null : Body.of(Body.BYTES, matrix.cells(), Map.of(
                    "Watch-Window", Long.toString(matrix.window()), "Watch-Epoch", Long.toString(matrix.epoch()),
                    "Watch-Width", Integer.toString(matrix.width()), "Watch-Of", lower(of)));
        });
    }

    private enum Of { KEPT, PAIRS, RACKS }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> E choice(Query query, String name, E[] all) {
        String asked = query.text(name);
        for (E one : all) {
            if (asked == null || lower(one).equals(asked)) {
                return one;
            }
        }
        throw new IllegalArgumentException(name + "=" + Query.shown(asked) + ", not one of "
                + Arrays.toString(all).toLowerCase(Locale.ROOT));
    }

    /** The page names what it runs by its hash: whatever else would find its way into it does not run. */
    private static Body html() {
        String html;
        try (InputStream in = LivePage.class.getResourceAsStream(RESOURCE)) {
            html = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String policy = "default-src 'none'; connect-src 'self'; script-src " + hash(html, "script") + "; style-src "
                + hash(html, "style") + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return Body.of(Body.HTML, html.getBytes(StandardCharsets.UTF_8), Map.of("Content-Security-Policy", policy));
    }

    private static String hash(String html, String element) {
        String begin = "<" + element + ">";
        int from = html.indexOf(begin) + begin.length();
        byte[] inside = html.substring(from, html.indexOf("</" + element + ">", from)).getBytes(StandardCharsets.UTF_8);
        try {
            return "'sha256-" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(inside))
                    + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }
}
