package org.jvrpc.tools.watch.counters;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.counters.Counted;
import org.jvrpc.watch.counters.PauseRate;

/**
 * For programs, a line a reading:
 * {@code {"reading":1,"atMs":…,"counters":[{"device":…,"port":…,"name":…,"origin":…,"value":…,"unit":…,"perSecond":…}],
 * "unreadable":[{"device":…,"port":…,"name":…,"origin":…,"why":…}],"pauses":[…],"alerts":[…],"notJudged":[…]}}. A rate
 * that is not known is null; behind a reset there is {@code "reset":true}.
 */
final class JsonPrinter implements Printer {

    private final PrintWriter out;

    JsonPrinter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void print(Seen seen) {
        JsonWriter json = new JsonWriter().object().name("reading").value(seen.number()).name("atMs")
                .value(seen.wallMs());
        json.name("counters").array();
        for (int i = 0; i < seen.counted().size(); i++) {
            counter(json, seen.counted().get(i), seen.rates().get(i), seen.isSingle());
        }
        json.end().name("unreadable").array();
        for (Counted one : seen.counted()) {
            if (!one.reading().isReadable()) {
                whose(json, one).name("why").value(one.reading().refusal()).end();
            }
        }
        json.end();
        pauses(json, PauseRate.of(seen.rates()));
        alerts(json, seen.alerts());
        json.name("notJudged").array();
        seen.watch().blind().forEach((rule, why) ->
                json.object().name("rule").value(rule.text()).name("why").value(why).end());
        out.println(json.end().end());
        out.flush();
    }

    private static JsonWriter whose(JsonWriter json, Counted one) {
        Reading reading = one.reading();
        return json.object().name("device").value(reading.device()).name("port").value(reading.port()).name("name")
                .value(reading.name()).name("origin").value(one.origin());
    }

    private static void counter(JsonWriter json, Counted one, Rate rate, boolean single) {
        Reading reading = one.reading();
        if (!reading.isReadable()) {
            return;
        }
        whose(json, one).name("value");
        if (reading.value() >= 0) {
            json.value(reading.value());
        } else {
            json.value((reading.value() >>> 1) * 2.0); // over 2^63
        }
        json.name("unit").value(reading.unit().name().toLowerCase(Locale.ROOT));
        if (!single) {
            json.name("perSecond").value(rate.known() ? rate.perSecond() : Double.NaN);
            if (rate.reset()) {
                json.name("reset").value(true);
            }
        }
        json.end();
    }

    private static void pauses(JsonWriter json, List<PauseRate> pauses) {
        json.name("pauses").array();
        for (PauseRate pause : pauses) {
            if (pause.isPaused()) {
                json.object().name("device").value(pause.device()).name("port").value(pause.port()).name("priority")
                        .value(pause.priority()).name("direction").value(pause.received() ? "rx" : "tx").name("share")
                        .value(pause.share()).name("framesPerSecond").value(pause.framesPerSecond())
                        .name("pausesPerSecond").value(pause.pausesPerSecond()).name("meanUs").value(pause.meanUs())
                        .name("intervalUs").value(pause.intervalUs()).end();
            }
        }
        json.end();
    }

    private static void alerts(JsonWriter json, List<Alert> alerts) {
        json.name("alerts").array();
        for (Alert alert : alerts) {
            json.object().name("rule").value(alert.rule()).name("subject").value(alert.subject()).name("value")
                    .value(alert.value()).name("limit").value(alert.limit()).name("raised").value(alert.raised()).end();
        }
        json.end();
    }
}
