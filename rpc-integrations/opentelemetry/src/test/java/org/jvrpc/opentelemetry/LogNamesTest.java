package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What log lines of handlers say about their call. */
class LogNamesTest extends TracedPair {

    private static final String METHOD = Shop.class.getName() + "/addHeavily";

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing(); // what stands in the MDC is read by the thread that logs
            super.append(event);
        }
    };
    private final Logger log = (Logger) LoggerFactory.getLogger(Shop.class);
    private final AtomicReference<Map<String, String>> behind = new AtomicReference<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.setLevel(Level.INFO);
        log.setAdditive(false);
        log.addAppender(lines);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
        log.setLevel(null);
        log.setAdditive(true);
    }

    /** Makes a call; returns what stood in the MDC of its handler's line, and keeps what stands there afterwards. */
    private Map<String, String> call(JvrpcTracing tracing) {
        String address = newAddress();
        try (RpcServer server = RpcServer.builder().bind(address).service(Shop.class, impl).intercept((call, next) -> {
            MDC.put(LogNames.TRACE, "mine");
            try {
                next.proceed();
            } finally {
                behind.set(MDC.getCopyOfContextMap());
                MDC.clear();
            }
        }).intercept(tracing.server(address)).start()) {
            assertEquals(3, connect(server, tracing).stub(Shop.class).addHeavily(1, 2));
        }
        assertEquals(1, lines.list.size());
        return lines.list.get(0).getMDCPropertyMap();
    }

    @Test
    void handlersOfTracedCallsHaveTheirNamesAndWhatStoodThereComesBack() {
        Map<String, String> names = call(tracing());
        SpanData ofServer = spans(2).get(0);
        assertEquals(Map.of(LogNames.METHOD, METHOD, LogNames.TRACE, ofServer.getTraceId(), LogNames.SPAN,
                ofServer.getSpanId()), names);
        assertEquals(Map.of(LogNames.TRACE, "mine"), behind.get());
    }

    @Test
    void handlersOfOtherCallsHaveTheMethodWhereThatIsWanted() {
        assertEquals(Map.of(LogNames.METHOD, METHOD), call(tracing(otel.getOpenTelemetry(), settings ->
                settings.clientRoots(0).logs(LogContext.ALL))));
        assertEquals(Map.of(LogNames.TRACE, "mine"), behind.get());
    }

    @Test
    void handlersOfOtherCallsHaveNothingByDefaultAndThoseOfTracedOnesWhereItIsOff() {
        assertEquals(Map.of(LogNames.TRACE, "mine"), call(tracing(otel.getOpenTelemetry(), settings ->
                settings.clientRoots(0))));
        lines.list.clear();
        assertEquals(Map.of(LogNames.TRACE, "mine"), call(tracing(otel.getOpenTelemetry(), settings ->
                settings.logs(LogContext.NONE))));
        assertTrue(spans(2).size() == 2);
        assertNull(MDC.get(LogNames.METHOD));
    }
}
