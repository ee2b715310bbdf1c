package org.jvrpc.watch.rperf;

import java.util.List;
import java.util.stream.Collectors;
import org.jvrpc.watch.picture.SvgHistogram;
import org.jvrpc.watch.picture.SvgHistogram.Mark;
import org.jvrpc.watch.picture.SvgHistogram.Panel;

/** Histograms of results as SVG, one below the other. */
public final class ResultPicture {

    /** More make a picture that nobody reads. */
    public static final int MOST = 16;

    private ResultPicture() {
    }

    /** Returns the SVG of the first {@value #MOST} results. */
    public static String svg(List<RperfResult> results) {
        return SvgHistogram.of("RTT without end-points, by jvrpc rperf", results.stream().limit(MOST)
                .map(ResultPicture::panel).collect(Collectors.toList()));
    }

    private static Panel panel(RperfResult result) {
        Figures rtt = result.rtt();
        return new Panel(title(result), result.distribution().valuesNs(), result.distribution().counts(),
                List.of(new Mark("p50", rtt.p50Ns()), new Mark("p99", rtt.p99Ns()), new Mark("p99.9", rtt.p999Ns()),
                        new Mark("p99.99", rtt.p9999Ns())));
    }

    /** Returns one line about a result. */
    public static String title(RperfResult result) {
        return result.name() + ", " + result.pattern().bytes() + " B, n=" + result.rtt().count()
                + (result.isSubtracted() ? ", " + result.zeroOrLess() + " of 0 and less" : ", END-POINTS INCLUDED");
    }
}
