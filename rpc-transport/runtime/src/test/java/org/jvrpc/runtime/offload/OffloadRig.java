package org.jvrpc.runtime.offload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.GuardOptions;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/**
 * What a server offers to programs, and a client's way to them, over two devices and in a time of the test's own. The
 * client's threads are made and not started. One thread.
 */
final class OffloadRig implements AutoCloseable {

    static final long START_NS = 1_000_000_000_000L;

    final Time time = new Time();
    final QuotesImpl quotes;
    final ServiceTable services = new ServiceTable();
    final Device serverDevice = Devices.open("shm://any");
    final String address = ShmFolder.address();
    /** Asks nobody. */
    static final Guard GUARD = new Guard(new GuardOptions(), Environment.SYSTEM, "rig");
    final ServerOffloads offloads = new ServerOffloads(serverDevice, address, services, GUARD);
    final Settings settings = new Settings();
    final List<Thread> threads = new ArrayList<>();
    final CountedDevice client = new CountedDevice();
    final OffloadConnector connector = new OffloadConnector(address, client.device, settings);
    final Ordinary ordinary = new Ordinary();

    /** Time passes when the test says so. */
    static final class Time implements Clock {
        long nowNs = START_NS;

        @Override
        public long nanoTime() {
            return nowNs;
        }
    }

    /** Calls that no program answers: an answer of the test's, of which all that is asked is noted. */
    static final class Ordinary extends ClientCall implements OrdinaryCalls {

        final List<String> did = new ArrayList<>();
        final WireWriter written = new WireWriter();
        private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        private final WireReader reader = new WireReader();
        int room = 1 << 15;
        long answer;
        int thrown;
        RuntimeException refusal;
        CompletableFuture<?> future;

        /** Returns what was done since this was asked last. */
        List<String> did() {
            List<String> all = List.copyOf(did);
            did.clear();
            return all;
        }

        /** Returns the bytes of the arguments of the last call. */
        byte[] arguments(int length) {
            byte[] bytes = new byte[length];
            written.buffer().get(written.start(), bytes);
            return bytes;
        }

        @Override
        public ObjectCodec objects() {
            return null;
        }

        @Override
        public ClientCall beginOrdinary(MethodDescriptor method) {
            did.add("begin " + method.name());
            if (refusal != null) {
                throw refusal;
            }
            written.reset(memory, 0, room, null, null);
            return this;
        }

        @Override
        public WireWriter arguments() {
            return written;
        }

        @Override
        public WireReader invoke() {
            did.add("invoke");
            memory.putLong(1 << 15, answer);
            reader.reset(memory, 1 << 15, 8, null);
            return reader;
        }

        @Override
        public int thrown() {
            return thrown;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> result) {
            did.add("invokeAsync");
            return (CompletableFuture<R>) future;
        }

        @Override
        public void send() {
            throw new AssertionError("no method of the book is one-way");
        }

        @Override
        public void close() {
            did.add("close");
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            did.add("abandon");
            return (RuntimeException) cause;
        }
    }

    OffloadRig() {
        this(new QuotesImpl());
    }

    OffloadRig(Quotes implementation) {
        quotes = implementation instanceof QuotesImpl own ? own : null;
        services.add(ServiceDescriptor.of(Quotes.class), implementation);
        settings.offloadConnections(1);
        settings.offloadWait(Duration.ofSeconds(20));
        settings.environment(new Environment(time, this::thread));
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name) {
            @Override
            public void start() {
                threads.add(this);
            }
        };
        thread.setDaemon(true);
        return thread;
    }

    MethodPublisher<Quotes> offer(String method) {
        return offer(method, new OffloadSettings());
    }

    MethodPublisher<Quotes> offer(String method, OffloadSettings given) {
        return offloads.offer(Quotes.class, method, given);
    }

    /** Returns what a client hears of a method. */
    static MethodOffer offerOf(MethodPublisher<?> published, int index, int answerBytes) {
        return new MethodOffer(index, answerBytes, published.address(), published.name());
    }

    /** Returns the lookups of what was offered. */
    MethodLookups lookups(MethodPublisher<?> published, MethodDescriptor method, int answerBytes) {
        return connector.lookups(new MethodOffer[] {offerOf(published, method.index(), answerBytes)},
                ServiceDescriptor.of(Quotes.class).methods().size())[method.index()];
    }

    /** Returns a stub each of whose calls is this one, which is free. */
    Quotes stub(OffloadedCall call) {
        return ServiceDescriptor.of(Quotes.class).stub(method -> {
            if (!call.tryClaim()) {
                throw new AssertionError("the connection is not free");
            }
            call.begin(ordinary, method);
            return call;
        });
    }

    @Override
    public void close() {
        connector.stop();
        offloads.close();
        client.device.close();
        serverDevice.close();
    }
}
