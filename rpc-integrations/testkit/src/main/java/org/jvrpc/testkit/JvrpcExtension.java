package org.jvrpc.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.jvrpc.api.CallOptions;
import org.jvrpc.recording.Recorder;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/**
 * A server for tests, with a client:
 *
 * <pre>
 * {@literal @}RegisterExtension
 * JvrpcExtension rpc = JvrpcExtension.serving(new OrdersInMemory());
 *
 * {@literal @}Test
 * void findsWhatWasPlaced(Orders orders) { … }
 * </pre>
 * In a static field it is one for all tests of a class, else one for each. Parameters, and fields with
 * {@link JvrpcStub}, are stubs of what is served and their asynchronous twins, the client, the server, faults and
 * scripts. Each service may be scripted, too; a call that neither a script nor an implementation answers fails the
 * test. Everything is closed at the end, and what was left open (clients, threads, files) fails the test. Tests that
 * share a server run one at a time; other methods are for any thread.
 */
public final class JvrpcExtension implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback,
        AfterEachCallback, ParameterResolver, TestExecutionExceptionHandler {

    /** The property by which faults of all tests are chosen. */
    public static final String SEED = "jvrpc.testkit.seed";

    private final Builder made;
    private volatile TestServer running;
    /** Who started it, and stops it. */
    private String owner;

    private JvrpcExtension(Builder made) {
        this.made = made;
    }

    /** Serves all services that these implement, in the process. */
    public static JvrpcExtension serving(Object... implementations) {
        Builder builder = builder();
        for (Object each : implementations) {
            builder.serve(each);
        }
        return builder.build();
    }

    /** Serves services that have scripts and nothing else, in the process. */
    public static JvrpcExtension scripting(Class<?>... services) {
        Builder builder = builder();
        for (Class<?> each : services) {
            builder.script(each);
        }
        return builder.build();
    }

    /** Begins one with more to say. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a server of tests is made with. One thread. */
    public static final class Builder {

        private static final long DEADLINE_NS = Duration.ofSeconds(30).toNanos();

        private final Map<Class<?>, Object> services = new LinkedHashMap<>();
        private final List<Consumer<RpcServer.Builder>> serverSettings = new ArrayList<>();
        private final List<Consumer<RpcClient.Builder>> clientSettings = new ArrayList<>();
        private Reach reach = Reach.IN_PROCESS;
        private long deadlineNs = DEADLINE_NS;
        private long seed;

        private Builder() {
        }

        /** Serves all services that an object implements. @throws IllegalArgumentException when it implements none */
        public Builder serve(Object implementation) {
            List<Class<?>> found = Injection.services(implementation.getClass());
            if (found.isEmpty()) {
                throw new IllegalArgumentException(implementation.getClass().getName() + " implements no service: no"
                        + " interface of it has generated code");
            }
            found.forEach(service -> services.put(service, implementation));
            return this;
        }

        /** Serves a service by scripts alone. @throws IllegalArgumentException when it has no generated code */
        public Builder script(Class<?> service) {
            if (!Injection.isService(service)) {
                throw new IllegalArgumentException(service.getName() + " is no service: it has no generated code");
            }
            services.put(service, null);
            return this;
        }

        /** Sets how the server is reached; default {@link Reach#IN_PROCESS}. */
        public Builder over(Reach how) {
            reach = Objects.requireNonNull(how, "how");
            return this;
        }

        /** Sets the deadline of calls that have none; default 30 s. */
        public Builder deadline(Duration deadline) {
            deadlineNs = deadline.toNanos();
            return this;
        }

        /** Sets by what faults choose calls; default another number each time. See {@link JvrpcExtension#SEED}. */
        public Builder seed(long number) {
            seed = number;
            return this;
        }

        /** Changes how the server is made; its address and services are the extension's. */
        public Builder server(Consumer<RpcServer.Builder> settings) {
            serverSettings.add(Objects.requireNonNull(settings, "settings"));
            return this;
        }

        /** Changes how the client is made. */
        public Builder client(Consumer<RpcClient.Builder> settings) {
            clientSettings.add(Objects.requireNonNull(settings, "settings"));
            return this;
        }

        /** Makes the extension. @throws IllegalArgumentException when nothing is served */
        public JvrpcExtension build() {
            if (services.isEmpty()) {
                throw new IllegalArgumentException("nothing is served: name an implementation, or a service to script");
            }
            return new JvrpcExtension(this);
        }

        Map<Class<?>, Object> services() {
            return services;
        }

        List<Consumer<RpcServer.Builder>> serverSettings() {
            return serverSettings;
        }

        List<Consumer<RpcClient.Builder>> clientSettings() {
            return clientSettings;
        }

        Reach reach() {
            return reach;
        }

        long deadlineNs() {
            return deadlineNs;
        }

        long chosenSeed() {
            return Long.getLong(SEED, seed != 0 ? seed : ThreadLocalRandom.current().nextLong());
        }
    }

    // ---- what tests ask for

    private TestServer running() {
        TestServer now = running;
        if (now == null) {
            throw new IllegalStateException("no test runs: the server is there from before a test, or its class, to its"
                    + " end");
        }
        return now;
    }

    /** Returns a stub. */
    public <T> T stub(Class<T> service) {
        return stub(service, CallOptions.DEFAULT);
    }

    /** Returns a stub whose calls have these options. */
    public <T> T stub(Class<T> service, CallOptions options) {
        return running().stub(service, options);
    }

    /** Returns a stub of the generated asynchronous twin of a service. */
    public <A> A asyncStub(Class<?> service, Class<A> twin) {
        return running().asyncStub(service, twin, CallOptions.DEFAULT);
    }

    /** Returns the client of the stubs; stubs that are made by it directly suffer no faults. */
    public RpcClient client() {
        return running().client();
    }

    /** Returns the server. */
    public RpcServer server() {
        return running().server();
    }

    /** Returns where it is. */
    public String address() {
        return running().address();
    }

    /** Returns what a service answers. @throws IllegalArgumentException when it is not served */
    public <T> Script<T> script(Class<T> service) {
        Script<T> script = running().script(service);
        if (script == null) {
            throw new IllegalArgumentException(service.getName() + " is not served");
        }
        return script;
    }

    /** Returns what goes wrong; nothing at the begin of each test. */
    public Faults faults() {
        return running().faults();
    }

    /** Ends all sessions at once; clients connect again. */
    public void killSessions() {
        running().killSessions();
    }

    /** Ends the server at once. */
    public void killServer() {
        running().killServer();
    }

    /** Starts the server again, and ends the one that is there. */
    public void restartServer() {
        running().restartServer();
    }

    /**
     * Records what stubs say that are made from now on, until the server is stopped, or the recorder closed.
     *
     * @param file is not written over
     * @throws java.io.UncheckedIOException when it is there, or cannot be written
     */
    public Recorder record(Path file) {
        return running().record(file);
    }

    /** Has stubs that are made from now on be answered as a recording has it, at once. */
    public void replay(Path file) {
        replay(file, false);
    }

    /**
     * Has stubs that are made from now on be answered as a recording has it.
     *
     * @param timing true to let answers take their recorded times
     * @throws java.io.UncheckedIOException when it is no whole recording: the message says why
     */
    public void replay(Path file, boolean timing) {
        running().replay(file, timing);
    }

    // ---- JUnit

    @Override
    public void beforeAll(ExtensionContext context) {
        begin(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context);
        context.getRequiredTestInstances().getAllInstances().forEach(test -> Injection.inject(this, test));
    }

    private void begin(ExtensionContext context) {
        if (running == null) {
            running = new TestServer(made, made.chosenSeed());
            owner = context.getUniqueId();
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        if (running != null && running.faults().isUsed()) {
            long seed = running.faults().seed();
            context.publishReportEntry(SEED, Long.toString(seed));
            thrown.addSuppressed(new FaultSeedNote(seed, running.faults().struck()));
        }
        throw thrown;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (running == null) {
            return; // it did not start
        }
        List<String> unexpected = new ArrayList<>();
        for (Script<?> script : running().scripts()) {
            script.unexpected().forEach(call -> unexpected.add(script.service().getName() + "/" + call));
            script.reset();
        }
        running().faults().clear();
        end(context);
        if (!unexpected.isEmpty()) {
            throw new AssertionError("calls that the test did not expect: " + String.join(", ", unexpected));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end(context);
    }

    private void end(ExtensionContext context) {
        TestServer now = running;
        if (now != null && context.getUniqueId().equals(owner)) {
            running = null;
            now.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return running != null && Injection.supports(this, parameter.getParameter().getParameterizedType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.value(this, parameter.getParameter().getParameterizedType());
    }

    /** Returns the services. */
    Iterable<Class<?>> services() {
        return made.services().keySet();
    }
}
