package org.jvrpc.router;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.contract.Meeting;
import org.jvrpc.verbs.contract.QueuePairContract;

/** Devices of tenants of two hosts, in turn: the left one connects to the right one, by lanes between the hosts. */
final class RouterTwoHostsContractTest extends QueuePairContract implements RouterUnderTest {

    private static final byte[] NOTHING = {};

    private final Set<Device> listeners = new HashSet<>();
    private int opened;

    @BeforeEach
    void beginWithTheLeft() {
        opened = 0;
        listeners.clear();
        Meeting.by(this::connect);
    }

    @AfterEach
    void end() {
        Meeting.by(null);
    }

    private void connect(Device left, QueuePair one, Device right, QueuePair other) {
        if (listeners.contains(left) == listeners.contains(right)) { // on one host
            byte[] endpoint = one.endpoint();
            one.connect(other.endpoint());
            other.connect(endpoint);
            return;
        }
        if (!listeners.contains(right)) {
            connect(right, other, left, one);
            return;
        }
        try (EventChannel channel = right.createChannel();
                EventChannel connecting = left.createChannel();
                Listener listener = right.listen(address(), channel)) {
            CompletableFuture<Void> connector = CompletableFuture.runAsync(
                    () -> left.connect(listener.address(), one, NOTHING, connecting, Waits.limitNs()));
            Waits.until("the request", () -> {
                channel.await(1_000_000);
                ConnectionRequest request = listener.poll();
                if (request != null) {
                    request.accept(other, NOTHING);
                }
                return request != null || connector.isCompletedExceptionally();
            });
            connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
        }
    }

    @Override
    public Device openDevice() {
        boolean listens = opened++ % 2 == 1;
        Device device = SharedRouters.get().open(listens);
        if (listens) {
            listeners.add(device);
        }
        return device;
    }

    @Override
    public String address() {
        return SharedRouters.get().address();
    }

    @Override
    public boolean attaches() {
        return false; // a tenant reaches its own folder alone
    }

    @Override
    public boolean listensAnywhere() {
        return false;
    }

    @Override
    public boolean knowsPeers() {
        return false; // endpoints of RC QPs mean nothing on other hosts
    }

    @Override
    public boolean meetsByEndpoints() {
        return false;
    }

    @Override
    public boolean endsWithItsPeer() {
        return true;
    }

    @Override
    public int rounds(int wanted) {
        return Math.max(1, wanted / 50);
    }

    @Override
    public boolean hearsLater() {
        return true;
    }
}
