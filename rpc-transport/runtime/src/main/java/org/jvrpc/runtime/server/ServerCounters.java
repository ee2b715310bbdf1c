package org.jvrpc.runtime.server;

import java.net.InetAddress;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.counters.write.Lane;
import org.jvrpc.runtime.counters.write.MethodBlock;
import org.jvrpc.runtime.counters.write.SessionBlock;
import org.jvrpc.runtime.service.Marks;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.thread.Clock;

/** What a server's session counts. Poller thread. */
final class ServerCounters implements AutoCloseable {

    private final Of poller;
    private final SessionBlock session;

    /** What the sessions of a poller count together. */
    static final class Of {

        private final Endpoint endpoint;
        private final Lane lane;
        private final Clock clock;
        private final MethodBlock[] methods;
        private MethodBlock other;

        /** Makes those of a poller, or null where its server does not count. */
        static Of of(ServerCore server) {
            return server.counters() == null ? null
                    : new Of(server.counters(), server.clock(), server.services().count());
        }

        private Of(Endpoint endpoint, Clock clock, int methodCount) {
            this.endpoint = endpoint;
            this.lane = endpoint.takeLane();
            this.clock = clock;
            this.methods = new MethodBlock[methodCount];
        }

        private MethodBlock find(ServiceTable.Method method) {
            if (method == null || method.number() < 0) {
                return other();
            }
            MethodBlock found = methods[method.number()];
            return found != null ? found : make(method);
        }

        private MethodBlock make(ServiceTable.Method method) {
            MethodBlock made = lane.method(method.descriptor().service(), method.descriptor().name());
            methods[method.number()] = made;
            return made;
        }

        private MethodBlock other() {
            if (other == null) {
                other = lane.method("", Endpoint.OTHER);
            }
            return other;
        }

        void sleeps() {
            endpoint.sleeps();
        }
    }

    private ServerCounters(Of poller, long id, int slots, int credits) {
        this.poller = poller;
        this.session = poller.endpoint.session(id);
        granted(slots, credits);
    }

    /** Makes those of a session. @param poller null where nothing is counted, then this returns null */
    static ServerCounters of(Of poller, long id, int slots, int credits) {
        return poller == null ? null : new ServerCounters(poller, id, slots, credits);
    }

    /** The session begins. The thread that adds it to its poller. */
    void begin(InetAddress peer) {
        session.begin(peer == null ? "" : peer.getHostAddress());
    }

    /** The client has so many slots and credits in all. */
    void granted(int slots, int credits) {
        session.slots(slots);
        session.credits(credits);
    }

    /** A call is to be handled. What can wait until it is answered is left to {@link #begun}. */
    void begins(ServerSlot slot, ServiceTable.Method method) {
        int weight = poller.find(method).weight();
        slot.timed(weight, weight == 0 ? 0 : poller.clock.nanoTime());
        session.begins();
    }

    /** A call is being handled, or was, and the next one is still to begin. @param bytes of its arguments */
    void begun(ServiceTable.Method method, int bytes) {
        MethodBlock block = poller.find(method);
        block.begun();
        block.came(bytes);
        session.came(bytes);
    }

    /** A call is answered. */
    void answered(ServerSlot slot, Status status, long marks, int bytes) {
        ServiceTable.Method method = slot.target();
        if (method == null && status == Status.OK) {
            return; // a service was opened
        }
        MethodBlock block = poller.find(method);
        if (slot.weight() < 0) {
            session.begins();
        } else if (slot.weight() != 0) {
            block.took(poller.clock.nanoTime() - slot.begunNs(), slot.weight());
        }
        block.left(bytes);
        session.left(bytes);
        if (Marks.thrown(marks) > 0) {
            block.thrown();
            session.failed();
        } else if (status == Status.OK) {
            block.succeeded();
            session.returned();
        } else {
            block.failed(status);
            session.failed();
        }
    }

    /** A one-way call was handled, or queued. */
    void oneWay(ServiceTable.Method method, int bytes) {
        MethodBlock block = poller.find(method);
        block.came(bytes);
        block.succeeded();
        session.begins();
        session.came(bytes);
        session.returned();
    }

    @Override
    public void close() {
        session.close();
    }
}
