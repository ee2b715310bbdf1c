package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;

/** The way from one host to another, made anew after it was lost. One thread. */
final class SimulatedConnection {

    private final SimulatedNetwork network;
    private final SimulatedHost client;
    private final SimulatedHost server;
    private final Map<Long, PendingCall> pending = new LinkedHashMap<>();
    private SimulatedWire here;
    private SimulatedWire there;
    private long numbers;

    SimulatedConnection(SimulatedNetwork network, SimulatedHost client, SimulatedHost server) {
        this.network = network;
        this.client = client;
        this.server = server;
    }

    long nextNumber() {
        return ++numbers;
    }

    /** Sends a request. @param call null where there is no answer */
    void send(ByteBuffer request, PendingCall call) {
        if (here == null) {
            connect();
        }
        if (call != null) {
            pending.put(call.number(), call);
        }
        here.send(request);
    }

    private void connect() {
        SimulatedWire[] both = new SimulatedWire[2];
        Runnable lost = () -> lose(both[0]);
        both[1] = new SimulatedWire(network, server, request -> server.take(request, both[1]::send), lost);
        both[0] = new SimulatedWire(network, client, this::answered, lost);
        SimulatedWire.connect(both[0], both[1]);
        here = both[0];
        there = both[1];
    }

    private void answered(ByteBuffer answer) {
        WireReader in = new WireReader();
        in.reset(answer, 0, answer.capacity(), NoGraphs.INSTANCE);
        PendingCall call = pending.remove(in.readLong());
        if (call != null) {
            call.answered(in);
        }
    }

    /** A call's time is over. */
    void forget(PendingCall call) {
        pending.remove(call.number());
    }

    private void lose(SimulatedWire which) {
        if (which != here) {
            return; // it was made anew
        }
        here.end();
        there.end();
        here = null;
        there = null;
        List<PendingCall> all = new ArrayList<>(pending.values());
        pending.clear();
        all.forEach(call -> call.failed(new RpcException(Status.UNAVAILABLE, "host " + server.index()
                + " does not answer host " + client.index() + " any more")));
    }
}
