package org.jvrpc.fabric.host;

import java.util.ArrayDeque;
import org.jvrpc.fabric.cost.HostSide;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/**
 * An application as far from its QP as a host is from its NIC: WRs reach it later, and so do completions. When the QP
 * fails, WRs on their way to it end as those that reached it do; when the host dies, the application hears of nothing.
 */
final class FarApplication implements Application, EventTarget {

    private static final int FETCHED = 0;
    private static final int COMPLETED = 1;
    private static final int ARRIVED = 2;
    private static final int FAILED = 3;
    /** Fetches under way: enough for a link that is busy. */
    private static final int FETCHES = 16;

    private record Completion(SendWork work, WcStatus status) { }

    private record Message(Arrival kind, long length, int word) { }

    private final RcEndpoint endpoint;
    private final EventQueue events;
    private final HostSide side;
    private final Application near;
    private final ArrayDeque<SendWork> free = new ArrayDeque<>();
    private final ArrayDeque<SendWork> fetched = new ArrayDeque<>();
    private boolean dead;

    FarApplication(RcEndpoint endpoint, HostSide side, Application near) {
        this.endpoint = endpoint;
        this.side = side;
        this.near = near;
        events = endpoint.nic().network().events();
        for (int i = 0; i < FETCHES; i++) {
            free.add(new SendWork());
        }
    }

    /** Begins to fetch what is posted. */
    void posted() {
        while (!free.isEmpty() && !endpoint.hasFailed()) {
            SendWork work = free.peek();
            if (!near.fetch(work)) {
                return;
            }
            free.remove();
            events.schedule(side.fetchedNs(events.nowNs()), this, FETCHED, work, 0);
        }
    }

    @Override
    public boolean fetch(SendWork work) {
        SendWork next = fetched.poll();
        if (next == null) {
            return false;
        }
        work.copy(next);
        free.add(next);
        posted();
        return true;
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (dead || endpoint.nic().isDead()) {
            return;
        }
        switch (kind) {
            case FETCHED -> {
                fetched.add((SendWork) subject);
                if (endpoint.hasFailed()) {
                    flush();
                } else {
                    endpoint.listed();
                }
            }
            case FAILED -> flush();
            case COMPLETED -> {
                Completion done = (Completion) subject;
                near.completed(done.work(), done.status(), events.nowNs());
                endpoint.posted();
            }
            default -> {
                Message message = (Message) subject;
                near.arrived(message.kind(), message.length(), message.word(), events.nowNs());
                endpoint.posted();
            }
        }
    }

    @Override
    public long address(SendWork work) {
        return near.address(work);
    }

    @Override
    public void completedInNic(SendWork work, long nicNs) {
        near.completedInNic(work, nicNs);
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        events.schedule(side.seenNs(nowNs), this, COMPLETED, new Completion(new SendWork().copy(work), status), 0);
    }

    @Override
    public boolean takeReceive() {
        return near.takeReceive();
    }

    @Override
    public long receiveAddress() {
        return near.receiveAddress();
    }

    @Override
    public long receiveBytes() {
        return near.receiveBytes();
    }

    @Override
    public void arrived(Arrival kind, long length, int word, long nowNs) {
        events.schedule(side.seenNs(nowNs), this, ARRIVED, new Message(kind, length, word), 0);
    }

    @Override
    public void failed() {
        events.schedule(events.nowNs(), this, FAILED, null, 0); // behind the WRs that its QP ends next
        near.failed();
    }

    /** The QP's owner wants no more, or the host has died: what reached the QP has ended. */
    void ended() {
        dead = endpoint.nic().isDead();
        if (!dead) {
            flush();
        }
    }

    private void flush() {
        for (SendWork work = fetched.poll(); work != null; work = fetched.poll()) {
            near.completedInNic(work, events.nowNs());
            completed(work, WcStatus.WR_FLUSH_ERR, events.nowNs());
            free.add(work);
        }
    }
}
