package org.jvrpc.fabric.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.fabric.network.Device;
import org.jvrpc.fabric.network.Port;

/**
 * A recording as one page of HTML, which needs no server and loads nothing: a scrubber, queues, pauses, windows and
 * rates over time, and the graph of who pauses whom. Names are text in it, whatever they are: the script sets them as
 * text, and none can end the element that they lie in.
 */
public final class Page {

    private static final int LINES = 8;
    private static final int ROWS = 16;
    private static final double HUNDRED = 100;

    private final Recorder recorder;
    private final StringBuilder json = new StringBuilder(1 << 16);

    private Page(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Returns the page.
     *
     * @param title of the run, as text
     * @param result what came of it, as text
     */
    public static String of(Recorder recorder, String title, String result) {
        String data = new Page(recorder).data(result);
        return template().replace("@TITLE@", html(title)).replace("@DATA@", data);
    }

    private static String template() {
        try (InputStream in = Page.class.getResourceAsStream("page.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String data(String result) {
        json.append("{\"result\":");
        text(result);
        json.append(",\"notes\":");
        text(notes());
        json.append(",\"timesNs\":");
        long[] times = recorder.timesNs();
        json.append('[');
        for (int i = 0; i < times.length; i++) {
            json.append(i == 0 ? "" : ",").append(times[i]);
        }
        json.append(']');
        devices();
        links(times.length);
        json.append(",\"cycles\":[");
        List<String> cycles = recorder.cycles();
        for (int i = 0; i < cycles.size(); i++) {
            json.append(i == 0 ? "" : ",");
            text(cycles.get(i));
        }
        json.append(']');
        all("stored", recorder.stored(), LINES);
        all("queued", recorder.queued(), LINES);
        all("paused", recorder.paused(), ROWS);
        all("rates", recorder.rates(), LINES);
        all("windows", recorder.windows(), LINES);
        all("allowed", recorder.allowed(), LINES);
        return json.append('}').toString();
    }

    private String notes() {
        String leftOut = recorder.leftOut();
        return "Of each kind, those with the highest peaks are drawn: " + LINES + " at most, pauses " + ROWS + "."
                + (leftOut.isEmpty() ? "" : " " + leftOut);
    }

    private void devices() {
        json.append(",\"devices\":[");
        List<Series> stored = recorder.stored();
        List<Device> devices = recorder.topology() == null ? List.of() : recorder.devices();
        for (int i = 0; i < devices.size(); i++) {
            json.append(i == 0 ? "" : ",").append("{\"tier\":").append(recorder.topology().tier(devices.get(i)))
                    .append(",\"name\":");
            text(stored.get(i).name());
            json.append(",\"stored\":");
            values(stored.get(i).most() > 0 ? stored.get(i).values() : new double[0]);
            json.append('}');
        }
        json.append(']');
    }

    /** Writes each port that is looked at as a link to its other end, and when it paused that. */
    private void links(int samples) {
        json.append(",\"links\":[");
        List<Port> ports = recorder.ports();
        Map<Device, Integer> numbers = new HashMap<>();
        for (Device device : recorder.devices()) {
            numbers.put(device, numbers.size());
        }
        for (int i = 0; i < ports.size(); i++) {
            json.append(i == 0 ? "" : ",").append("{\"from\":").append(numbers.get(ports.get(i).device()))
                    .append(",\"to\":").append(numbers.get(ports.get(i).peer().device())).append(",\"pauses\":\"");
            int last = samples;
            while (last > 0 && !recorder.pauses(i, last - 1)) {
                last--;
            }
            for (int sample = 0; sample < last; sample++) {
                json.append(recorder.pauses(i, sample) ? '1' : '0');
            }
            json.append("\"}");
        }
        json.append(']');
    }

    private void all(String name, List<Series> all, int count) {
        json.append(",\"").append(name).append("\":[");
        String separator = "";
        for (Series series : Series.highest(all, count)) {
            json.append(separator).append("{\"name\":");
            text(series.name());
            json.append(",\"values\":");
            values(series.values());
            json.append('}');
            separator = ",";
        }
        json.append(']');
    }

    private void values(double[] values) {
        json.append('[');
        for (int i = 0; i < values.length; i++) {
            json.append(i == 0 ? "" : ",");
            long hundredths = Math.round(values[i] * HUNDRED);
            if (hundredths % (long) HUNDRED == 0) {
                json.append(hundredths / (long) HUNDRED);
            } else {
                json.append(hundredths / HUNDRED);
            }
        }
        json.append(']');
    }

    /** Writes a string of JSON that is safe within an element of HTML: of ASCII, without its marks. */
    private void text(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c <= '~' && "\"\\<>&'".indexOf(c) < 0) {
                json.append(c);
            } else {
                json.append("\\u").append(String.format("%04x", (int) c));
            }
        }
        json.append('"');
    }

    private static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
                .replace("'", "&#39;").replace("@", "&#64;");
    }
}
