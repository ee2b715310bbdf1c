package org.jvrpc.watch.rperf;

import java.util.List;
import java.util.Locale;
import org.jvrpc.watch.JsonWriter;

/** What programs read of results: one object; times in nanoseconds. */
public final class ResultJson {

    private ResultJson() {
    }

    /** {@code {"results":[…],"found":[…]}}. @param found what makes the exit code 1 */
    public static String of(List<RperfResult> results, List<String> found) {
        JsonWriter out = new JsonWriter().object().name("results").array();
        results.forEach(result -> write(out, result));
        out.end().name("found").array();
        found.forEach(out::value);
        return out.end().end().toString();
    }

    /** Writes one result as a value. */
    public static void write(JsonWriter out, RperfResult result) {
        LoadPattern pattern = result.pattern();
        out.object().name("name").value(result.name())
                .name("bytes").value(pattern.bytes())
                .name("outstanding").value(pattern.outstanding())
                .name("ratePerSecond").value(pattern.rate())
                .name("burst").value(pattern.burst())
                .name("onNs").value(pattern.onNs()).name("offNs").value(pattern.offNs())
                .name("stamps").value(result.stamps().name().toLowerCase(Locale.ROOT))
                .name("subtracted").value(result.isSubtracted())
                .name("notSubtracted").value(result.notSubtracted())
                .name("seconds").value(result.seconds())
                .name("pairs").value(result.pairs())
                .name("pairsPerSecond").value(result.rate())
                .name("gigabitsPerSecond").value(result.gbps())
                .name("zeroOrLess").value(result.zeroOrLess())
                .name("meanWithZeroOrLessNs").value(result.meanOfAllNs())
                .name("missed").value(result.missed())
                .name("unfinished").value(result.unfinished())
                .name("trouble").value(result.trouble())
                .name("loopbackFirstP50Ns").value(result.loopbackFirstP50Ns())
                .name("wireFirstP50Ns").value(result.wireFirstP50Ns())
                .name("secondWaitsNs").value(result.secondWaitsNs())
                .name("loopbackBitsNs").value(result.loopbackBitsNs());
        figures(out, "rtt", result.rtt());
        figures(out, "wire", result.wire());
        figures(out, "loopback", result.loopback());
        out.end();
    }

    private static void figures(JsonWriter out, String name, Figures figures) {
        out.name(name).object().name("n").value(figures.count())
                .name("meanNs").value(figures.meanNs())
                .name("leastNs").value(figures.leastNs())
                .name("p50Ns").value(figures.p50Ns())
                .name("p99Ns").value(figures.p99Ns())
                .name("p999Ns").value(figures.p999Ns())
                .name("p9999Ns").value(figures.p9999Ns())
                .name("enoughForP9999").value(figures.isEnough())
                .name("mostNs").value(figures.mostNs()).end();
    }
}
