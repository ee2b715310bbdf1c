package org.jvrpc.watch.rperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Histograms as SVG. */
class ResultPictureTest {

    private static RperfResult result(String name, long durationNs) {
        FakePort port = new FakePort(1);
        port.wireNs = n -> 2_500 + n % 100 * 37;
        PairEngine engine = new PairEngine(port, LoadPattern.ofBytes(64), 0, durationNs);
        port.run(engine);
        return engine.result(name);
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void eachResultHasItsBarsAndPercentiles() throws Exception {
        String svg = ResultPicture.svg(List.of(result("a", 10_000_000), result("b", 10_000_000)));
        Document document = parse(svg);
        assertTrue(document.getElementsByTagName("rect").getLength() > 20);
        assertTrue(svg.contains("a, 64 B, n=") && svg.contains("b, 64 B, n=") && svg.contains("p99.9 "), svg);
    }

    @Test
    void hostileNamesAreText() throws Exception {
        String svg = ResultPicture.svg(List.of(result("<script>&\u0000\ud800", 1_000_000)));
        parse(svg);
        assertFalse(svg.contains("<script>"));
    }

    @Test
    void aResultWithoutSamplesIsAnEmptyPicture() throws Exception {
        FakePort port = new FakePort(1);
        PairEngine engine = new PairEngine(port, LoadPattern.ofBytes(64), 0, 1);
        assertEquals(1, parse(ResultPicture.svg(List.of(engine.result("none")))).getElementsByTagName("rect")
                .getLength());
    }
}
