package org.jvrpc.runtime.stream.client;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.stream.StreamPoller;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.verbs.ClientDevice;

/** The streams of a client: connects by the first call that has one, and anew when that is lost. Any thread. */
public final class StreamClient implements AutoCloseable {

    /** Of a call that no deadline was set for. */
    public static final long FOREVER_NS = Long.MAX_VALUE / 4;
    private static final int MOST_HEAD_BYTES = 1 << 20;
    static final int PIECES = 16;
    /** A buffer of 64 KiB goes in one. */
    static final int PIECE_BYTES = (1 << 16) + 64;
    private static final long MEMORY_BYTES = 256L << 20;

    private final String address;
    private final Settings settings;
    private final Endpoint counters;
    private final StreamMemory memory = new StreamMemory(MEMORY_BYTES);
    private ClientLink link;
    private boolean closed;

    /** @param counters null where nothing is counted */
    public StreamClient(String address, Settings settings, Endpoint counters) {
        this.counters = counters;
        this.address = address;
        this.settings = settings;
    }

    /** Returns null where nothing is counted. */
    Endpoint counters() {
        return counters;
    }

    Clock clock() {
        return settings.environment().clock();
    }

    StreamMemory memory() {
        return memory;
    }

    Thread newThread(Runnable work, String name) {
        return settings.environment().threads().make(work, name);
    }

    /** Begins a call; nothing is sent yet. */
    public ClientStreamCall begin(StreamTarget target, MethodDescriptor method, ClientInvocation invocation) {
        return new ClientStreamCall(this, target, method, invocation);
    }

    /** Returns the session for a new call, and makes one where there is none. @throws RpcException UNAVAILABLE */
    synchronized ClientLink link() {
        if (closed) {
            throw new RpcException(Status.UNAVAILABLE, "client is closed, address=" + address);
        }
        if (link == null || !link.session().isConnected() || link.session().isGoneAway()) {
            link = connect();
        }
        return link;
    }

    /** Returns true when no stream is open. */
    public synchronized boolean isQuiet() {
        return link == null || !link.session().isConnected() || link.session().table().isEmpty();
    }

    private ClientLink connect() {
        Hello asked = Hello.request(Protocol.STREAMS, PIECES, PIECE_BYTES, settings.streamWindow());
        Undo undo = new Undo();
        try {
            ClientTransport device = undo.keep(ClientDevice.open(address, settings.environment()));
            Connected made = undo.keep(device.connect(asked, settings.connectTimeoutNs()));
            made.link().keepAlive(settings.keepAliveNs());
            StreamPoller poller = new StreamPoller(settings.environment(), device.events(),
                    Idler.ofPoller(settings.idle(), clock()), address.substring(address.indexOf("://") + 3),
                    settings.keepAliveNs(), session -> { }, () -> { });
            ClientLink fresh = new ClientLink(device, made, poller, memory, settings);
            fresh.start();
            return fresh;
        } catch (RuntimeException e) {
            undo.run();
            throw ClientDevice.refusal(e);
        } catch (Error e) {
            undo.run();
            throw e;
        }
    }

    /** Disconnects: streams fail with UNAVAILABLE. Idempotent. */
    @Override
    public void close() {
        ClientLink last;
        synchronized (this) {
            closed = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.close();
        }
    }

    /** Numbers that a session's services have, and how they are told. Under its monitor. */
    static final class Bindings {

        private final Map<String, Integer> numbers = new HashMap<>();

        /** Returns the number of a service; has {@code bind} say it where that is new. */
        synchronized int number(ServiceDescriptor<?> service, java.util.function.Consumer<ByteBuffer> bind,
                StreamMemory memory) {
            Integer known = numbers.get(service.name());
            if (known != null) {
                return known;
            }
            int number = numbers.size();
            ByteBuffer bytes = memory.take(1 << 12);
            WireWriter out = new WireWriter();
            ByteBuffer[] borrowed = {bytes};
            out.reset(bytes, 0, bytes.capacity(), (full, needed) -> grow(memory, borrowed, full, needed), null);
            out.writeShort((short) number);
            ServiceTable.writeOpen(out, service);
            bind.accept(borrowed[0].limit(out.length()));
            numbers.put(service.name(), number);
            return number;
        }
    }

    static void grow(StreamMemory memory, ByteBuffer[] borrowed, WireWriter full, int needed) {
        int wanted = checkLength((long) full.length() + needed);
        ByteBuffer larger = memory.take(Math.max(wanted, 2 * full.length()));
        full.moveTo(larger, 0, larger.capacity());
        memory.give(borrowed[0]);
        borrowed[0] = larger;
    }

    /** Returns the nanoseconds that a call has from now, 0 for any time. */
    static long leftNs(ClientInvocation invocation) {
        return invocation.limitNs() == 0 ? 0 : Math.max(1, invocation.deadlineNs());
    }

    static int checkLength(long bytes) {
        if (bytes > MOST_HEAD_BYTES) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "arguments beside a stream are longer than the limit:"
                    + " bytes=" + bytes + " limit=" + MOST_HEAD_BYTES);
        }
        return (int) bytes;
    }

    /** Writes what a call begins with, in front of its arguments. */
    static void writeHead(WireWriter out, int service, MethodDescriptor method, ClientInvocation invocation) {
        out.writeShort((short) service);
        out.writeShort((short) method.index());
        Extension.write(out, leftNs(invocation), invocation.metadata());
    }
}
