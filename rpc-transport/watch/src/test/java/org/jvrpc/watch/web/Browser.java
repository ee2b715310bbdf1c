package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.JsonWriter;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A browser without a window, driven by its DevTools protocol. Its time is real. One thread. */
final class Browser implements AutoCloseable {

    private static final int LIMIT_S = 60;
    private static final int CLOSE_S = 5;
    private static final int MOST_CHARACTERS = 64 << 20;

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> calls = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private Browser(Process process, Path profile) throws Exception {
        this.process = process;
        HttpClient client = HttpClient.newHttpClient();
        Path file = profile.resolve("DevToolsActivePort");
        Waits.until("the browser's port", () -> lines(file).size() >= 2);
        String port = lines(file).get(0);
        HttpResponse<String> list = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build(),
                HttpResponse.BodyHandlers.ofString());
        String page = ((List<?>) parse(list.body())).stream().map(Browser::map)
                .filter(target -> "page".equals(target.get("type"))).findFirst().orElseThrow()
                .get("webSocketDebuggerUrl").toString();
        socket = client.newWebSocketBuilder().buildAsync(URI.create(page), new Listener())
                .get(LIMIT_S, TimeUnit.SECONDS);
        call("Page.enable", "{}");
        call("Network.enable", "{}");
        call("Runtime.enable", "{}");
        call("Log.enable", "{}");
    }

    /** Starts one, or skips the test. */
    static Browser open(Path folder) throws Exception {
        String program = null;
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            for (String path : System.getenv("PATH").split(":")) {
                if (program == null && Files.isExecutable(Path.of(path, name))) {
                    program = Path.of(path, name).toString();
                }
            }
        }
        assumeTrue(program != null, "this machine has no chromium");
        Path profile = Files.createDirectory(folder.resolve("profile"));
        List<String> command = new ArrayList<>(List.of(program, "--headless=new", "--disable-gpu", "--no-first-run",
                "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                "--disable-dev-shm-usage", "--window-size=1600,1500", "--remote-debugging-port=0",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + profile));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile()).start();
        try {
            return new Browser(process, profile);
        } catch (Throwable e) {
            end(process);
            throw e;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // not there yet
        }
    }

    private static Object parse(String json) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST_CHARACTERS);
        try (Reader reader = new StringReader(json)) {
            return new Yaml(new SafeConstructor(options)).load(reader);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private final class Listener implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                came(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void came(String json) {
            // A picture is long, and the only thing in its message: YAML would take its time.
            int picture = json.indexOf("{\"data\":\"");
            if (picture > 0 && json.startsWith("{\"id\":")) {
                int id = Integer.parseInt(json.substring(6, json.indexOf(',')));
                int from = picture + 9;
                calls.remove(id).complete(Map.of("data", json.substring(from, json.indexOf('"', from))));
                return;
            }
            Map<String, Object> message = map(parse(json));
            if (message.get("id") instanceof Integer id) {
                CompletableFuture<Map<String, Object>> call = calls.remove(id);
                if (message.containsKey("error")) {
                    call.completeExceptionally(new AssertionError(message.get("error").toString()));
                } else {
                    call.complete(map(message.get("result")));
                }
                return;
            }
            Map<String, Object> params = map(message.getOrDefault("params", Map.of()));
            switch (String.valueOf(message.get("method"))) {
                case "Network.requestWillBeSent" -> requests.add(map(params.get("request")).get("url").toString());
                case "Runtime.exceptionThrown" -> complaints.add(params.toString());
                case "Log.entryAdded" -> complaints.add(map(params.get("entry")).toString());
                default -> { }
            }
        }
    }

    /** Calls a method of the protocol and waits for what it returns. */
    Map<String, Object> call(String method, String params) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> result = new CompletableFuture<>();
        calls.put(id, result);
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}", true)
                .get(LIMIT_S, TimeUnit.SECONDS);
        return result.get(LIMIT_S, TimeUnit.SECONDS);
    }

    /** Opens a page as a new one, without anything in its cache. */
    void open(String url) throws Exception {
        call("Page.navigate", "{\"url\":\"about:blank\"}");
        call("Network.clearBrowserCache", "{}");
        call("Page.navigate", new JsonWriter().object().name("url").value(url).end().toString());
    }

    /** Returns what an expression of JavaScript is, as text. */
    String eval(String expression) throws Exception {
        Map<String, Object> result = call("Runtime.evaluate", new JsonWriter().object().name("expression")
                .value("String(" + expression + ")").name("awaitPromise").value(true).end().toString());
        if (result.containsKey("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.get("exceptionDetails"));
        }
        return String.valueOf(map(result.get("result")).get("value"));
    }

    /** Waits until an expression is true. */
    void until(String expression) {
        Waits.until(expression, () -> {
            try {
                return eval("Boolean(document.body && (" + expression + "))").equals("true");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Clicks at a place of the window, in pixels. */
    void click(double x, double y) throws Exception {
        for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            call("Input.dispatchMouseEvent", "{\"type\":\"" + type + "\",\"x\":" + x + ",\"y\":" + y
                    + ",\"button\":\"left\",\"clickCount\":1}");
        }
    }

    void picture(Path file) throws Exception {
        String data = call("Page.captureScreenshot", "{\"format\":\"png\"}").get("data").toString();
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Returns the addresses of all requests so far. */
    List<String> requests() {
        return requests;
    }

    /** Returns what went wrong in pages: exceptions, and what the browser refused. */
    List<String> complaints() {
        return complaints;
    }

    private static void end(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().completeOnTimeout(one, LIMIT_S, TimeUnit.SECONDS).join());
    }

    /** Ends the browser, and returns when it writes no more to its profile. */
    @Override
    public void close() {
        try {
            call("Browser.close", "{}");
            process.onExit().get(CLOSE_S, TimeUnit.SECONDS); // it removes its files
        } catch (Exception | AssertionError e) {
            // It is ended below.
        }
        end(process);
        socket.abort();
    }
}
