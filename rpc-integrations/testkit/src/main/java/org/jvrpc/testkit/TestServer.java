package org.jvrpc.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.reflection.MethodTraits;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.recording.Recorder;
import org.jvrpc.recording.Recording;
import org.jvrpc.recording.RecordingProxy;
import org.jvrpc.recording.ReplayServer;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.fault.Victims;
import org.jvrpc.testkit.script.Script;

/** A server that runs, its client, and what stands between them. Many threads. */
final class TestServer implements Victims, AutoCloseable {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final int PROXY_SLOTS = 256;

    private final JvrpcExtension.Builder made;
    private final String name = "testkit-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
    private final Leaks leaks;
    private final Map<Class<?>, Script<?>> scripts = new LinkedHashMap<>();
    private final Faults faults;
    private final List<AutoCloseable> others = new ArrayList<>();
    private RpcServer server;
    private RpcClient client;
    private int fronts;

    TestServer(JvrpcExtension.Builder made, long seed) {
        this.made = made;
        this.leaks = new Leaks(name, made.reach());
        this.faults = new Faults(seed, this);
        made.services().forEach((service, implementation) -> scripts.put(service, script(service, implementation)));
        server = start();
        try {
            client = connect(address());
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static <T> Script<T> script(Class<T> service, Object implementation) {
        return new Script<>(service, service.cast(implementation));
    }

    private RpcServer start() {
        RpcServer.Builder builder = RpcServer.builder().reflection(true).admin(true);
        made.serverSettings().forEach(each -> each.accept(builder));
        builder.bind(address());
        scripts.values().forEach(script -> serve(builder, script));
        return builder.start();
    }

    private static <T> void serve(RpcServer.Builder builder, Script<T> script) {
        builder.service(script.service(), script.implementation());
    }

    private RpcClient connect(String address) {
        RpcClient.Builder builder = RpcClient.builder(address).deadline(Duration.ofNanos(made.deadlineNs()));
        for (Consumer<RpcClient.Builder> each : made.clientSettings()) {
            each.accept(builder);
        }
        return builder.connect();
    }

    String address() {
        return made.reach().address(name);
    }

    synchronized RpcServer server() {
        return server;
    }

    synchronized RpcClient client() {
        return client;
    }

    Faults faults() {
        return faults;
    }

    /** Returns the script of a service; null where it is not served. */
    <T> Script<T> script(Class<T> service) {
        @SuppressWarnings("unchecked") // so they are put there
        Script<T> script = (Script<T>) scripts.get(service);
        return script;
    }

    Iterable<Script<?>> scripts() {
        return scripts.values();
    }

    <T> T stub(Class<T> service, CallOptions options) {
        return client().stub(faults.around(ServiceDescriptor.of(service)), options);
    }

    <A> A asyncStub(Class<?> service, Class<A> twin, CallOptions options) {
        return client().stub(faults.aroundAsync(ServiceDescriptor.of(service), twin), options);
    }

    // ---- recorded conversations

    /** Has clients that are made from now on be recorded. */
    synchronized Recorder record(Path file) {
        List<DynamicService> services = scripts.keySet().stream().map(TestServer::described).toList();
        RpcClient onwards = RpcClient.builder(address()).slots(PROXY_SLOTS).connect();
        try {
            Recorder recorder = Recorder.create(file, address(), services, Recorder.MOST_BYTES);
            RecordingProxy proxy = RecordingProxy.start(onwards, CallOptions.DEFAULT, services, front(), recorder);
            others.add(onwards);
            others.add(proxy);
            reconnect(proxy.address());
            return recorder;
        } catch (IOException e) {
            onwards.close();
            throw new UncheckedIOException(file + " cannot be written: " + e, e);
        } catch (RuntimeException | Error e) {
            onwards.close();
            throw e;
        }
    }

    private static DynamicService described(Class<?> service) {
        ServiceDescriptor<?> descriptor = ServiceDescriptor.of(service);
        return new DynamicService(ServiceSchema.of(descriptor), descriptor.methods().stream()
                .map(method -> new MethodTraits(method.heavy(), method.idempotent(), method.offload(),
                        Duration.ofNanos(method.deadlineNs()))).toList());
    }

    /** Has clients that are made from now on be answered as a recording has it. */
    synchronized void replay(Path file, boolean timing) {
        try {
            ReplayServer replayed = ReplayServer.start(Recording.read(file, false), front(), timing);
            others.add(replayed);
            reconnect(replayed.address());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private String front() {
        return made.reach().address(name + "-front-" + ++fronts);
    }

    private void reconnect(String address) {
        RpcClient next = connect(address);
        others.add(client);
        client = next;
    }

    // ---- what faults end

    @Override
    public void killSessions() {
        try {
            server().revoke(principal -> true).close(); // it ends them, and then lets them in again
        } catch (Exception e) {
            throw new IllegalStateException("the sessions of " + address() + " cannot be ended", e);
        }
    }

    @Override
    public void killServer() {
        server().shutdownNow();
    }

    @Override
    public synchronized void restartServer() {
        server.shutdownNow();
        server = start();
    }

    /** Closes everything. @throws AssertionError when something is left open */
    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(others);
        all.add(client());
        RuntimeException failure = null;
        for (int i = all.size() - 1; i >= 0; i--) {
            try {
                all.get(i).close();
            } catch (Exception e) {
                failure = failure == null ? new IllegalStateException("cannot be closed: " + e, e) : failure;
            }
        }
        List<String> left = new ArrayList<>(leaks.sessions(address()));
        server().close();
        left.addAll(leaks.threadsAndFiles(left.isEmpty()));
        if (!left.isEmpty()) {
            throw new AssertionError("left open at " + address() + ": " + String.join("; ", left));
        }
        if (failure != null) {
            throw failure;
        }
    }
}
