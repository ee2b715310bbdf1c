package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.transport.Transport;

/**
 * Sessions with a server that have opened a service and called once, and then only give signs of life. One thread has
 * them all, and nothing but its link each: ten thousand clients would be as many threads and selectors. One thread.
 */
final class IdleConnections implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Of a process besides its connections. */
    private static final int OTHER_DESCRIPTORS = 200;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    /** Signs of life are wanted within a minute. */
    private static final long LOOK_MS = 5000;

    private final ClientTransport transport;
    private final List<Connected> all = new ArrayList<>();
    private volatile boolean closed;
    private Thread watcher;

    IdleConnections(String address) {
        String scheme = address.replaceFirst(":.*", "");
        transport = ServiceLoader.load(Transport.class).stream().map(ServiceLoader.Provider::get)
                .filter(each -> each.scheme().equals(scheme)).findFirst().orElseThrow()
                .openClient(address, Environment.SYSTEM);
    }

    /** Fails where this process may not have so many connections. */
    static void expectDescriptors(int connections) throws IOException {
        for (String line : Files.readAllLines(LIMITS)) {
            if (line.startsWith("Max open files")) {
                String soft = line.split(" {2,}")[1];
                int wanted = connections + OTHER_DESCRIPTORS;
                if (!soft.equals("unlimited") && Long.parseLong(soft) < wanted) {
                    throw new IOException("connections=" + connections + " want descriptors=" + wanted
                            + " in each process, and it may have " + soft + ": raise it with ulimit -n " + wanted);
                }
            }
        }
    }

    /** Connects so many, each of which calls once. */
    void open(int count) {
        for (int i = 0; i < count; i++) {
            Connected made = transport.connect(
                    Hello.request(Protocol.CALLS, 64, 4096, Settings.MAX_BODY_BYTES).withFirst(2), PATIENCE.toNanos());
            all.add(made);
            callOnce(made.link());
        }
        watcher = new Thread(this::watch, "idle-connections");
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void callOnce(Link link) {
        ServiceDescriptor<BenchService> service = new BenchServiceService();
        WireWriter out = new WireWriter();
        out.reset(link.body(0), 0, link.slotBytes(), null, null);
        out.writeString(service.name());
        out.writeLong(service.fingerprint());
        out.writeCount(service.methods().size());
        for (MethodDescriptor method : service.methods()) {
            out.writeString(method.signature());
            out.writeLong(method.fingerprint());
        }
        out.writeLong(service.objectsFingerprint());
        ask(link, RpcHeader.OPEN, 1, out.length());
        int base = link.payload().getInt(link.payloadOffset() + RpcHeader.BYTES);
        int nothing = 0;
        while (!service.methods().get(nothing).signature().contains("nothing(")) {
            nothing++;
        }
        ask(link, base + nothing, 2, 0);
    }

    private static void ask(Link link, int method, int generation, int length) {
        link.send(0, RpcHeader.first(RpcHeader.REQUEST, 0, method, RpcHeader.callId(0, generation)),
                RpcHeader.second(length, 0, 0), length);
        link.wakePeer();
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!link.poll() || RpcHeader.kind(link.first()) != RpcHeader.RESPONSE) {
            if (link.failure() != null || System.nanoTime() - endNs > 0) {
                throw new IllegalStateException("an idle connection is not answered: " + link.failure());
            }
        }
        if (RpcHeader.method(link.first()) != 0) {
            throw new IllegalStateException(
                    "an idle connection is answered by status=" + RpcHeader.method(link.first()));
        }
    }

    /** Gives signs of life where they are asked for. */
    private void watch() {
        while (!closed) {
            try {
                Thread.sleep(LOOK_MS);
            } catch (InterruptedException e) {
                return;
            }
            for (Connected each : all) {
                each.link().poll();
                if (each.link().failure() != null) {
                    System.err.println("an idle connection ended: " + each.link().failure());
                    return;
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (watcher != null) {
            watcher.interrupt();
        }
        all.forEach(Connected::close);
        transport.close();
    }
}
