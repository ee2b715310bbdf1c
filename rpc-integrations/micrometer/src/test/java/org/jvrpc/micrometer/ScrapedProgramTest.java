package org.jvrpc.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

/** What the site shows of metrics. */
class ScrapedProgramTest extends CountedPair {

    @Test
    void aProgramOfTwoLinesIsScraped() throws Exception {
        // snippet begins
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT); // or any other
        JvrpcMetrics metrics = new JvrpcMetrics(); // of this process; or new JvrpcMetrics(Counters.open(file), period)
        metrics.bindTo(registry); // until metrics.close()
        // snippet ends
        keep(metrics);
        assertEquals(3, connect(serve()).stub(Shop.class).add(1, 2));
        until("the call in what is scraped", () -> {
            metrics.refresh();
            return registry.scrape().contains("jvrpc_server_calls_total{");
        });
        assertTrue(registry.scrape().contains("rpc_method=\"" + SERVICE + "/add\""), registry::scrape);
    }
}
