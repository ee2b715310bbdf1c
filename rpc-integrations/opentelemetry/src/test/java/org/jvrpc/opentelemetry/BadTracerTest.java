package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Tracers that throw, and ones that are slow. */
class BadTracerTest extends TracedPair {

    /** A tracer whose spans' processors throw, or wait. */
    private static final class Processor implements SpanProcessor {

        private final boolean atStart;
        private final boolean atEnd;
        private final Runnable what;
        private final AtomicInteger done = new AtomicInteger();

        Processor(boolean atStart, boolean atEnd, Runnable what) {
            this.atStart = atStart;
            this.atEnd = atEnd;
            this.what = what;
        }

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
            if (atStart) {
                done.incrementAndGet();
                what.run();
            }
        }

        @Override
        public boolean isStartRequired() {
            return true;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            if (atEnd) {
                done.incrementAndGet();
                what.run();
            }
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    private static OpenTelemetry telemetry(SpanProcessor processor) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(processor).build()).build();
    }

    private void checkCalls(JvrpcTracing tracing) {
        RpcServer server = serve(tracing);
        RpcClient client = connect(server, tracing);
        Shop shop = client.stub(Shop.class);
        for (int i = 0; i < 20; i++) {
            assertEquals(i + 1, shop.add(i, 1));
            assertEquals(i + 1, shop.addHeavily(i, 1));
            assertEquals(Status.NOT_FOUND, assertThrows(RpcException.class, () -> shop.fail("NOT_FOUND")).status());
            assertEquals(i, client.asyncStub(Shop.class, ShopAsync.class).add(i, 0).join());
        }
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void aTracerThatThrowsAtTheStartOrTheEndCostsNobodyACall(boolean atStart, boolean atEnd) {
        Processor bad = new Processor(atStart, atEnd, () -> {
            throw new IllegalStateException("planted");
        });
        checkCalls(tracing(telemetry(bad), settings -> settings));
        assertTrue(bad.done.get() >= 80, "spans=" + bad.done);
    }

    /** Answers each of its methods so: default ones, too. */
    private static <T> T proxy(Class<T> type, Supplier<?> answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> answer.get()));
    }

    @Test
    void aTracerThatThrowsWhateverIsAskedOfItCostsNobodyACall() {
        Tracer tracer = proxy(Tracer.class, () -> {
            throw new StackOverflowError("planted");
        });
        OpenTelemetry throwing = proxy(OpenTelemetry.class, () -> tracer); // getTracer is all that is asked of it
        checkCalls(tracing(throwing, settings -> settings.serverRoots(1)));
    }

    @Test
    void aTracerThatHangsHoldsItsOwnCallAlone() {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger hanging = new AtomicInteger();
        Processor slow = new Processor(true, true, () -> {
            if (Thread.currentThread().getName().equals("slow") && gate.getCount() > 0) {
                hanging.incrementAndGet();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        JvrpcTracing tracing = tracing(telemetry(slow), settings -> settings);
        Shop shop = connect(serve(tracing), tracing).stub(Shop.class);
        CompletableFuture<Integer> held = new CompletableFuture<>();
        Thread thread = new Thread(() -> held.complete(shop.add(40, 2)), "slow");
        thread.start();
        until("the tracer to hang", () -> hanging.get() == 1);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, shop.add(i, 0));
        }
        assertFalse(held.isDone());
        gate.countDown();
        assertEquals(42, held.join());
    }
}
