package org.jvrpc.runtime.contract;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jvrpc.api.Metadata;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.MessageFixture.Recorder;
import org.jvrpc.testing.Holdings;

/** What one test has in the process of its servers: these, their service, and what they note. Any thread. */
public final class ServerSide {

    /** The service of the servers that {@link #serve} makes. */
    final CallsImpl impl = new CallsImpl();
    /** Belongs to the test, not to a server. */
    final ExecutorService own = Executors.newSingleThreadExecutor();
    final QuotesImpl quotes = new QuotesImpl();
    /** Clients of offloaded methods that were cut off. */
    final Set<HostedClient> cutOff = new HashSet<>();
    final HeldExecutor held = new HeldExecutor();
    /** Metadata that interceptors kept. */
    final List<Metadata> kept = new CopyOnWriteArrayList<>();
    private final List<Note> notes = new CopyOnWriteArrayList<>();
    /** What this process held at some time. */
    Holdings before;
    private final List<MessageServer> messageServers = new ArrayList<>();
    private final List<Recorder> recorders = new ArrayList<>();
    private final List<RpcServer> servers = new ArrayList<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Something that was noted, at a time of {@link System#nanoTime}, which processes of one host share. */
    record Note(long atNs, String text) implements Serializable {

        static Note of(String text) {
            return new Note(System.nanoTime(), text);
        }
    }

    /** Has something closed when the test ends, last first. */
    synchronized <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Starts a server of {@link #impl}; returns its number. */
    synchronized int serve(String address, ServerProcess.SideSettings settings) {
        RpcServer.Builder builder = RpcServer.builder().bind(address).service(Calls.class, impl).context(true)
                .objectGraphs(true);
        servers.add(keep(settings.on(builder, this).start()));
        return servers.size() - 1;
    }

    /** Starts a server of message sessions, which share a handler; returns its number. */
    synchronized int serveMessages(String address, Recorder handler, ServerProcess.MessageSettings settings) {
        MessageServer.Builder builder = MessageServer.builder().bind(address).handler(() -> handler);
        messageServers.add(keep(settings.on(builder).start()));
        recorders.add(handler);
        return recorders.size() - 1;
    }

    /** Returns a server of message sessions by its number. */
    synchronized MessageServer messageServer(int number) {
        return messageServers.get(number);
    }

    /** Returns the handler of a server of message sessions. */
    synchronized Recorder recorder(int number) {
        return recorders.get(number);
    }

    /** Returns a server by its number. */
    synchronized RpcServer server(int number) {
        return servers.get(number);
    }

    /** Notes something that the test asks for later. */
    void note(Object text) {
        notes.add(Note.of(text.toString()));
    }

    /** Returns what was noted, in order. */
    ArrayList<Note> notes() {
        return new ArrayList<>(notes);
    }

    /** Lets go all that hangs, and closes what is kept; throws the first failure of it. */
    void close() throws Exception {
        impl.openGate();
        own.shutdown();
        Exception first = null;
        for (AutoCloseable next = open.poll(); next != null; next = open.poll()) {
            try {
                next.close();
            } catch (Exception e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
