package org.jvrpc.watch.rperf.verbs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What probers send to: takes messages and forgets them. All receives share one memory, whose length bounds messages.
 * One thread runs it; any thread closes it by {@link #stop}.
 */
public final class PairSink implements AutoCloseable {

    /** QPs at a time. */
    public static final int MOST_QPS = 64;

    private static final int MOST_REASON = 100;
    /** Polls without a message after which the thread waits. */
    private static final int IDLE_POLLS = 20_000;
    private static final int LOOK = 1 << 10;
    private static final long WAIT_NS = 20_000_000;
    private static final long BRIEF_NS = 100_000;

    private final Device device;
    private final EventChannel channel;
    private final Listener listener;
    private final ProtectionDomain pd;
    private final MemoryRegion memory;
    private final int bytes;
    private final CompletionQueue sends;
    private final CompletionQueue arrivals;
    private final Map<Integer, Receives> byNumber = new HashMap<>();
    private final Map<Connection, Receives> connected = new HashMap<>();
    private final WorkCompletion wc = new WorkCompletion();
    private volatile boolean stopped;
    private volatile long messages;
    private long seen;
    private Receives last;

    private PairSink(Device device, String address, int bytes) {
        this.device = device;
        this.bytes = bytes;
        channel = device.createChannel();
        pd = device.allocatePd();
        memory = pd.allocate(bytes, Access.LOCAL_WRITE);
        sends = device.createCq(CompletionQueueAttributes.ofDepth(MOST_QPS));
        arrivals = device.createCq(CompletionQueueAttributes.ofDepth(MOST_QPS * Receives.DEPTH).withChannel(channel));
        listener = device.listen(address, channel);
    }

    /**
     * Listens at an address.
     *
     * @param bytes of the longest message that is taken
     * @throws VerbsException when the device refuses
     */
    public static PairSink open(String address, int bytes) {
        Device device = Devices.open(address);
        try {
            return new PairSink(device, address, bytes);
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }

    /** Returns where it listens, with the port that was taken. */
    public String address() {
        return listener.address();
    }

    /** Returns how many messages came. Any thread. */
    public long messages() {
        return messages;
    }

    /** Takes messages until it is stopped: spins while they come, and waits when none do. */
    public void run() {
        int idle = 0;
        for (int round = 0; !stopped; round++) {
            if (idle >= IDLE_POLLS) {
                rest();
            }
            idle = take() ? 0 : idle < IDLE_POLLS ? idle + 1 : idle;
            if ((round & LOOK - 1) == 0 || idle >= IDLE_POLLS) {
                messages = seen;
                manage();
            }
        }
        messages = seen;
    }

    private void rest() {
        arrivals.arm();
        if (!take()) {
            channel.await(connected.isEmpty() ? WAIT_NS : BRIEF_NS * 10);
        }
        arrivals.disarm();
    }

    private boolean take() {
        boolean took = false;
        for (int i = 0; i < Receives.DEPTH && arrivals.poll(wc); i++) {
            took = true;
            if (wc.succeeded()) {
                seen++;
                Receives of = last != null && last.qp.number() == wc.qpNumber() ? last : byNumber.get(wc.qpNumber());
                if (of != null) {
                    last = of;
                    of.took();
                }
            }
        }
        return took;
    }

    private void manage() {
        channel.await(0);
        for (ConnectionRequest request = listener.poll(); request != null; request = listener.poll()) {
            answer(request);
        }
        List<Connection> gone = new ArrayList<>();
        connected.keySet().stream().filter(connection -> !connection.isConnected()).forEach(gone::add);
        gone.forEach(this::forget);
    }

    private void answer(ConnectionRequest request) {
        Greeting greeting = Greeting.decode(request.privateData());
        String reason = reason(greeting);
        Receives receives = null;
        try {
            if (reason != null) {
                request.reject(reason.substring(0, Math.min(reason.length(), MOST_REASON))
                        .getBytes(StandardCharsets.US_ASCII));
                return;
            }
            receives = new Receives(pd, sends, arrivals, memory, bytes, greeting.service());
            Connection connection = request.accept(receives.qp, new byte[0]);
            connected.put(connection, receives);
            byNumber.put(receives.qp.number(), receives);
        } catch (VerbsException e) { // the prober is gone, or the device has no more: it is told
            if (receives != null) {
                receives.close();
            }
        }
    }

    private String reason(Greeting greeting) {
        if (greeting == null) {
            return "this is a jvrpc rperf agent: it speaks to jvrpc rperf alone";
        }
        if (greeting.version() < Greeting.FIRST_VERSION || greeting.version() > Greeting.VERSION) {
            return "rperf version=" + greeting.version() + " expected=" + Greeting.VERSION;
        }
        if (greeting.bytes() < 1 || greeting.bytes() > bytes) {
            return "messages are 1 to " + bytes + " bytes here, bytes=" + greeting.bytes();
        }
        return connected.size() >= MOST_QPS ? "all " + MOST_QPS + " QPs are taken" : null;
    }

    private void forget(Connection connection) {
        Receives receives = connected.remove(connection);
        byNumber.remove(receives.qp.number());
        last = last == receives ? null : last;
        connection.close();
        receives.close();
    }

    /** Has {@link #run} return soon. Any thread. */
    public void stop() {
        stopped = true;
        channel.wakeup();
    }

    /** Closes the device; {@link #run} has returned. */
    @Override
    public void close() {
        device.close();
    }
}
