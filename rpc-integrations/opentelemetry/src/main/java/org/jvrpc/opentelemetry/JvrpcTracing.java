package org.jvrpc.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import java.util.Objects;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.runtime.counters.ServerAddress;

/**
 * Makes the interceptors that trace calls:
 *
 * <pre>{@code
 * JvrpcTracing tracing = JvrpcTracing.builder(openTelemetry).build();
 * RpcClient.builder(address).intercept(tracing.client(address)).connect();
 * RpcServer.builder().bind(address).intercept(tracing.server(address)).service(…).start();
 * }</pre>
 *
 * <p>Whether a call is traced is decided before anything is made for it. A client traces calls that are made in a span
 * that is sampled, and, where there is none, a part of them ({@link Builder#clientRoots}); the SDK's sampler decides
 * about those once more. A server traces what its clients trace, and a part of the calls that come without a trace
 * ({@link Builder#serverRoots}). Calls that a handler makes outside a span are no roots, where the thread knows for
 * which call it works ({@link org.jvrpc.api.RpcContext}). A call that is not traced carries nothing and allocates
 * nothing, unless there is baggage to carry. Immutable; any thread.
 */
public final class JvrpcTracing {

    static final String SCOPE = "org.jvrpc";

    private final Tracer tracer;
    private final Sampling clientRoots;
    private final Sampling serverRoots;
    private final boolean propagatesUnsampled;
    private final LogContext logs;

    private JvrpcTracing(Builder builder) {
        this.tracer = builder.openTelemetry.getTracer(SCOPE);
        this.clientRoots = new Sampling(builder.clientRoots);
        this.serverRoots = new Sampling(builder.serverRoots);
        this.propagatesUnsampled = builder.propagateUnsampled;
        this.logs = builder.logs;
    }

    /** Begins tracing by the tracers of an SDK, or of whatever else implements the API. */
    public static Builder builder(OpenTelemetry openTelemetry) {
        return new Builder(Objects.requireNonNull(openTelemetry, "openTelemetry"));
    }

    /** What tracing is made with. One thread. */
    public static final class Builder {

        private final OpenTelemetry openTelemetry;
        private double clientRoots = 1;
        private double serverRoots;
        private boolean propagateUnsampled;
        private LogContext logs = LogContext.TRACED;

        private Builder(OpenTelemetry openTelemetry) {
            this.openTelemetry = openTelemetry;
        }

        /**
         * Sets which part of the calls begins a trace that a client makes outside any span, from 0 for none to 1 for
         * all, the default.
         */
        public Builder clientRoots(double part) {
            clientRoots = Sampling.check("clientRoots", part);
            return this;
        }

        /**
         * Sets which part of the calls begins a trace that come to a server without one, from 0 for none, the default,
         * to 1 for all. A client that traces sends no trace with calls that it does not sample: a server behind it that
         * begins traces of its own would have those of all the rest.
         */
        public Builder serverRoots(double part) {
            serverRoots = Sampling.check("serverRoots", part);
            return this;
        }

        /**
         * Says whether calls that are made in a span which is not sampled tell the server of that trace, so that what
         * it calls in turn, and logs, can name it; default no: such calls carry nothing, and cost nothing.
         */
        public Builder propagateUnsampled(boolean propagate) {
            propagateUnsampled = propagate;
            return this;
        }

        /** Sets which handlers have the names of their call in slf4j's MDC; default {@link LogContext#TRACED}. */
        public Builder logs(LogContext which) {
            logs = Objects.requireNonNull(which, "logs");
            return this;
        }

        /** Makes it. */
        public JvrpcTracing build() {
            return new JvrpcTracing(this);
        }
    }

    /**
     * Makes the interceptor of a client. Interceptors that the client has behind it, and the credentials of a call, run
     * in the span of a traced call, which is the current one of their thread until {@code proceed()} returns: for a
     * synchronous method when the answer is there, else when the request is on its way. The caller's own context is
     * current again afterwards, also where one of them throws. Futures, callbacks and streams do not complete in the
     * span, unless an interceptor itself waits for a future of the client there; nor are attempts made in it that other
     * threads make: later ones of asynchronous and hedged calls.
     *
     * @param address what the client is connected to, for {@code server.address} and {@code server.port}
     */
    public ClientInterceptor client(String address) {
        return new ClientTracing(tracer, clientRoots, propagatesUnsampled, ServerAddress.of(address));
    }

    /**
     * Makes the interceptor of a server. A one-way call has a trace of its own, with a link to its caller's span.
     *
     * @param address what the server is bound to, for {@code server.address} and {@code server.port}
     */
    public ServerInterceptor server(String address) {
        return new ServerTracing(tracer, serverRoots, propagatesUnsampled, logs, ServerAddress.of(address));
    }
}
