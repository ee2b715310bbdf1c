package org.jvrpc.fabric.experiment;

import java.util.Arrays;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.verbs.WcStatus;

/** Sends one message after the other, and notes how long each took until its acknowledgement was there. */
final class Pings implements Application, EventTarget {

    private final Network network;
    private final int bytes;
    private final long[] tripsNs;
    private final long pauseNs;
    private RcEndpoint endpoint;
    private boolean underWay;
    private boolean rests;
    private long beginNs;
    private int trips;

    /** Sends {@code most} at most, and the next so long after the last was acknowledged. */
    Pings(Network network, int bytes, int most, long pauseNs) {
        this.network = network;
        this.bytes = bytes;
        this.pauseNs = pauseNs;
        tripsNs = new long[most];
    }

    /** Has a host measure round trips to another, with pauses between them. */
    static Pings between(Topology made, int from, int to, EndpointSettings settings, int bytes, int most,
            long pauseNs) {
        Pings pings = new Pings(made.network(), bytes, most, pauseNs);
        pings.endpoint = made.host(from).endpoint(settings, pings);
        RcEndpoint.connect(pings.endpoint, made.host(to).endpoint(settings, new Stream(Operation.SEND, bytes, 0)));
        return pings;
    }

    @Override
    public boolean fetch(SendWork work) {
        if (underWay || rests || trips == tripsNs.length) {
            return false;
        }
        underWay = true;
        beginNs = network.nowNs();
        work.set(Operation.SEND, bytes, 0).flags(false, false);
        return true;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        underWay = false;
        tripsNs[trips++] = nowNs - beginNs;
        if (pauseNs > 0) {
            rests = true;
            network.events().schedule(nowNs + pauseNs, this, 0, null, 0);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        rests = false;
        endpoint.posted();
    }

    int trips() {
        return trips;
    }

    /** Forgets those until now. */
    void forget() {
        trips = 0;
    }

    long percentile(double percent) {
        return percentile(percent, this);
    }

    /** Returns the time within which so many percent of all trips were. */
    static long percentile(double percent, Pings... all) {
        long[] sorted = Arrays.stream(all).flatMapToLong(pings -> Arrays.stream(pings.tripsNs, 0, pings.trips))
                .sorted().toArray();
        return sorted.length == 0 ? Long.MAX_VALUE
                : sorted[(int) Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}
