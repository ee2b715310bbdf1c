package org.jvrpc.watch.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at each request before anything else does, and writes each answer. Any thread. */
final class Front implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Front.class);
    private static final String NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";

    private final HostNames names;
    private final Map<String, Route> routes;

    Front(HostNames names, Map<String, Route> routes) {
        this.names = names;
        this.routes = routes;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Body body;
            try {
                body = answer(exchange);
            } catch (IllegalArgumentException e) {
                body = Body.refusal(400, String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                LOG.warn("{} {}", exchange.getRequestMethod(), Query.shown(exchange.getRequestURI().toString()), e);
                body = Body.refusal(500, "an error, which the log tells of");
            }
            write(exchange, body);
        }
    }

    private Body answer(HttpExchange exchange) throws IOException {
        if (Crowd.isRefusing()) {
            return new Body(503, Body.TEXT, "too many ask at a time\n".getBytes(StandardCharsets.US_ASCII),
                    null, null, Map.of("Retry-After", "2", "Connection", "close"));
        }
        List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        if (hosts.size() != 1 || !names.allow(hosts.get(0))) {
            return Body.refusal(421, "this server is not " + Query.shown(String.join(", ", hosts)));
        }
        Route route = routes.get(String.valueOf(exchange.getRequestURI().getPath())); // "GET a:b" has none
        if (route == null) {
            return Body.refusal(404, "nothing is here");
        }
        String method = exchange.getRequestMethod();
        if (!List.of(route.methods().split(", ")).contains(method)) {
            return new Body(405, Body.TEXT, new byte[0], null, null, Map.of("Allow", route.methods()));
        }
        if (route.intake() != null) {
            return take(exchange, route.intake());
        }
        Body body = route.responder().answer(Query.of(exchange.getRequestURI().getRawQuery()));
        return body != null ? body : Body.refusal(404, "that is not kept");
    }

    private static Body take(HttpExchange exchange, Intake intake) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        String declared = headers.getFirst("Content-Length");
        if (declared != null && Long.parseLong(declared) > Intake.MOST_BYTES) {
            return tooLong();
        }
        byte[] bytes = exchange.getRequestBody().readNBytes(Intake.MOST_BYTES + 1);
        if (bytes.length > Intake.MOST_BYTES) {
            return tooLong();
        }
        if (!intake.isSealed(bytes, headers.getFirst(Intake.SEAL_HEADER))) {
            return Body.refusal(401, "the seal is wrong");
        }
        intake.accept(bytes);
        return new Body(204, null, new byte[0], null, null, Map.of());
    }

    private static Body tooLong() {
        byte[] why = ("longer than " + Intake.MOST_BYTES + " bytes\n").getBytes(StandardCharsets.US_ASCII);
        return new Body(413, Body.TEXT, why, null, null, Map.of("Connection", "close"));
    }

    private static void write(HttpExchange exchange, Body body) throws IOException {
        Headers out = exchange.getResponseHeaders();
        out.set("X-Content-Type-Options", "nosniff");
        out.set("Referrer-Policy", "no-referrer");
        out.set("Cross-Origin-Resource-Policy", "same-origin");
        out.set("Content-Security-Policy", NOTHING_ELSE);
        out.set("Cache-Control", body.tag() == null ? "no-store" : "no-cache");
        body.headers().forEach(out::set);
        if (body.type() != null) {
            out.set("Content-Type", body.type());
        }
        if (body.tag() != null) {
            out.set("ETag", "W/\"" + body.tag() + "\"");
            out.set("Vary", "Accept-Encoding");
            if (has(exchange.getRequestHeaders().get("If-None-Match"), body.tag())) {
                exchange.sendResponseHeaders(304, -1);
                return;
            }
        }
        byte[] bytes = body.bytes();
        if (body.gzip() != null && takesGzip(exchange.getRequestHeaders().get("Accept-Encoding"))) {
            out.set("Content-Encoding", "gzip");
            bytes = body.gzip();
        }
        boolean none = bytes.length == 0 || "HEAD".equals(exchange.getRequestMethod());
        exchange.sendResponseHeaders(body.status(), none ? -1 : bytes.length);
        if (!none) {
            try (OutputStream to = exchange.getResponseBody()) {
                to.write(bytes);
            }
        }
    }

    /** Tells whether one of the tags that a browser has is this one; the comparison is weak. */
    static boolean has(List<String> tags, String tag) {
        if (tags == null) {
            return false;
        }
        for (String part : String.join(",", tags).split(",")) {
            String one = part.trim();
            if (one.equals("*") || one.equals("\"" + tag + "\"") || one.equals("W/\"" + tag + "\"")) {
                return true;
            }
        }
        return false;
    }

    static boolean takesGzip(List<String> encodings) {
        if (encodings == null) {
            return false;
        }
        for (String part : String.join(",", encodings).toLowerCase(Locale.ROOT).split(",")) {
            String[] words = part.trim().split("\\s*;\\s*");
            if (words[0].equals("gzip")) {
                return words.length == 1 || !words[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
