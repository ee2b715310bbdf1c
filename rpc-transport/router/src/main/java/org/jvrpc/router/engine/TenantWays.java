package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.router.DatagramWay;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.softrnic.router.wire.RouteNote;

/** The ways of datagrams from a tenant's device, and those to it from other hosts. The worker's thread. */
final class TenantWays implements DatagramWay.End {

    private final TenantDevice device;
    private final GatherList message = new GatherList();
    /** Those that go out, by the index of the route, and those that come, by this host's number. */
    private final Map<Integer, DatagramWay> going = new HashMap<>();
    private final Map<Integer, DatagramWay> coming = new HashMap<>();

    /** The way of a tenant's address handle to a device, which it may send to. The worker's thread. */
    static final class Leg implements Route {

        private final TenantDevice from;
        private final TenantDevice to;
        private final int number;
        private final int pd;
        private final int index;
        /** Of one to another host, while it leads there. */
        private DatagramWay away;

        /**
         * @param to null: it leads to another host
         * @param number of the device that it leads to, as its owner knows it
         */
        Leg(TenantDevice from, TenantDevice to, int number, int pd, int index) {
            this.from = from;
            this.to = to;
            this.number = number;
            this.pd = pd;
            this.index = index;
        }

        /** Returns the device that it leads to; null for one of another host. */
        TenantDevice device() {
            return to;
        }

        void away(DatagramWay way) {
            away = way;
        }

        /** Returns what goes to another host; null while nothing does. */
        DatagramWay away() {
            return away;
        }

        /** Returns a QP of the device that takes datagrams; null for none. */
        DatagramTarget target(int qpn) {
            return to.target(qpn); // one that has ended has none
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public int pd() {
            return pd;
        }

        @Override
        public long gidHigh() {
            return RouteNote.GID_HIGH;
        }

        @Override
        public long gidLow() {
            return number;
        }

        @Override
        public void close() {
            from.routes().remove(this);
            from.ways().lead(this, null);
        }
    }

    TenantWays(TenantDevice device) {
        this.device = device;
    }

    private RemotePath path(RemoteConnection to) {
        RemotePath path = device.worker().path;
        if (path == null) {
            throw new RefusedException(Refusal.PEER_ROUTER, "host=" + to.host()
                    + ": this router has no way to other hosts");
        }
        return path;
    }

    /** Has a route lead somewhere, or, null, nowhere. */
    void lead(Leg route, RemoteConnection to) {
        DatagramWay before = going.remove(route.index());
        if (before != null) {
            before.end();
        }
        DatagramWay way = to == null ? null : path(to).open(to, null);
        route.away(way);
        if (way != null) {
            going.put(route.index(), way);
        }
    }

    void admit(RemoteConnection from) {
        coming.put(from.own(), path(from).open(from, this));
    }

    void dismiss(int own) {
        DatagramWay way = coming.remove(own);
        if (way != null) {
            way.end();
        }
    }

    void close() {
        going.values().forEach(DatagramWay::end);
        going.clear();
        coming.values().forEach(DatagramWay::end);
        coming.clear();
    }

    @Override
    public void arrived(ByteBuffer from, int at, int bytes, boolean hasImmediate, int immediate, int sourceQp, int qp,
            int qkey) {
        DatagramTarget target = device.target(qp);
        if (target == null || !target.isReady()) {
            return;
        }
        device.worker().touch(device);
        message.clear();
        if (bytes > 0) {
            message.add(from, at, bytes);
        }
        try {
            target.deliver(message, hasImmediate ? Cqe.RESP_SEND_IMM : Cqe.RESP_SEND, immediate, sourceQp, qkey);
            LateFaults.tell(); // here, not in the midst of what lanes do for others
        } catch (InternalError e) {
            device.worker().missing().vanished(null, e);
        }
    }
}
