package org.jvrpc.fabric.host;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/** Messages of one kind and length, one behind the other, as many at a time as the QP takes. */
public final class Stream implements Application {

    private final SendWork.Operation operation;
    private final long messageBytes;
    private final long most;
    private int places = 1;
    private Chance chance;
    private long fetched;
    private long completed;
    private long failures;
    private long lastNs;
    private long allowed = Long.MAX_VALUE;
    private Round round;
    private boolean held;
    private boolean stopped;

    /** For messages until {@code most} were begun, or {@link #stop}. */
    public Stream(SendWork.Operation operation, long messageBytes, long most) {
        this.operation = operation;
        this.messageBytes = messageBytes;
        this.most = most;
    }

    /** Has messages go to any of so many places in the peer's memory, one behind the other; at first, to the first. */
    public Stream anywhere(int newPlaces, Chance newChance) {
        places = newPlaces;
        chance = newChance;
        return this;
    }

    /** Begins messages, or none for now; the QP is to be told when there are some again. */
    public void hold(boolean on) {
        held = on;
    }

    /** Begins a message at each point of a grid of time. */
    public Stream every(long periodNs, EventQueue events, RcEndpoint endpoint) {
        return every(periodNs, periodNs, events, endpoint);
    }

    /** As {@link #every}, the first after a time of its own. */
    public Stream every(long firstNs, long periodNs, EventQueue events, RcEndpoint endpoint) {
        allowed = 0;
        EventTarget tick = new EventTarget() {
            @Override
            public void happen(int kind, Object subject, long argument) {
                allowed++;
                endpoint.posted();
                events.schedule(events.nowNs() + periodNs, this, 0, null, 0);
            }
        };
        events.schedule(events.nowNs() + firstNs, tick, 0, null, 0);
        return this;
    }

    /** Streams of one host that begin their messages together, when all have ended the ones before. */
    public static final class Round {

        private final List<Stream> streams = new ArrayList<>();
        private final List<RcEndpoint> endpoints = new ArrayList<>();
        private int missing;

        /** Has a stream take part; all are to be there before the first is connected. */
        public void add(Stream stream, RcEndpoint endpoint) {
            stream.round = this;
            stream.allowed = 1;
            streams.add(stream);
            endpoints.add(endpoint);
            missing++;
        }

        private void completed() {
            if (--missing == 0) {
                missing = streams.size();
                for (int i = 0; i < missing; i++) {
                    streams.get(i).allowed++;
                    endpoints.get(i).posted();
                }
            }
        }
    }

    /** Begins no more messages. */
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean fetch(SendWork work) {
        if (stopped || held || fetched == most || fetched == allowed) {
            return false;
        }
        long place = chance == null ? 0 : chance.below(places);
        work.set(operation, messageBytes, fetched++).flags(false, false)
                .remote(place * messageBytes, HostMemory.RKEY).operands(0, 1);
        return true;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        if (status == WcStatus.SUCCESS) {
            lastNs = nowNs;
            completed++;
            if (round != null) {
                round.completed();
            }
        } else {
            failures++;
        }
    }

    /** Returns how many messages completed. */
    public long completed() {
        return completed;
    }

    public long completedBytes() {
        return completed * messageBytes;
    }

    public long failures() {
        return failures;
    }

    /** Returns when the last message completed. */
    public long lastNs() {
        return lastNs;
    }
}
