package org.jvrpc.ibverbs.cm;

import java.lang.ref.Reference;
import java.net.InetAddress;
import org.jvrpc.ibverbs.binding.CmLayouts;
import org.jvrpc.ibverbs.binding.CmLayouts.ConnParam;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.LibRdmacm;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.VerbsException;

/** {@code struct rdma_cm_id}: a connection's end, or a listener. Calls are refused once it is destroyed. Any thread. */
final class CmId {

    /** Retries of either kind that the peer is told; 7 is for ever, for receivers that are not ready. */
    private static final int RETRIES = 6;
    private static final int RNR_RETRIES = 7;

    private final LibRdmacm cm;
    private final long address;
    private CmChannel channel;
    /** Set when the peer was told something, and so hears of the end. */
    private boolean talks;
    private boolean destroyed;
    /** True when the peer asked for the connection. */
    private boolean asked;

    private CmId(CmChannel channel, long address) {
        this.cm = channel.cm();
        this.channel = channel;
        this.address = address;
    }

    /** Makes one, whose events the handler takes. */
    static CmId create(CmChannel channel, CmHandler handler) {
        channel.adopt();
        Native out = Native.allocate(8);
        if (channel.cm().rdma_create_id(channel.address(), out.address(), 0, LibRdmacm.RDMA_PS_TCP) != 0) {
            NativeException e = NativeException.last("create_id", "");
            channel.abandon();
            throw e;
        }
        CmId id = new CmId(channel, out.getLong(0));
        channel.handler(id.address, handler);
        return id;
    }

    /** Takes over one that a connection request brought. */
    static CmId ofRequest(CmChannel channel, long address) {
        channel.adopt();
        CmId id = new CmId(channel, address);
        id.talks = true;
        id.asked = true;
        return id;
    }

    private void check(String operation) {
        if (destroyed) {
            throw new VerbsException(operation, "connection is closed");
        }
    }

    private static void expect(String operation, int result, String values) {
        if (result != 0) {
            throw NativeException.last(operation, values);
        }
    }

    synchronized void bind(InetAddress host, int port) {
        check("bind_addr");
        Native local = SocketAddress.of(host, port);
        expect("bind_addr", cm.rdma_bind_addr(address, local.address()), host.getHostAddress() + " port=" + port);
        Reference.reachabilityFence(local);
    }

    synchronized void listen(int backlog) {
        check("listen");
        expect("listen", cm.rdma_listen(address, backlog), "");
    }

    /** Begins to find device and next hop. @param source may be null */
    synchronized void resolveAddress(InetAddress source, InetAddress host, int port, int timeoutMs) {
        check("resolve_addr");
        Native from = source == null ? null : SocketAddress.of(source, 0);
        Native to = SocketAddress.of(host, port);
        expect("resolve_addr",
                cm.rdma_resolve_addr(address, from == null ? 0 : from.address(), to.address(), timeoutMs),
                (source == null ? "" : "from=" + source.getHostAddress() + " ") + "to=" + host.getHostAddress());
        Reference.reachabilityFence(from);
        Reference.reachabilityFence(to);
    }

    /** Has the request, and so both sides, ask for a traffic class; before the route is resolved. */
    synchronized void trafficClass(int trafficClass) {
        check("set_option");
        Native value = Native.allocate(1).putByte(0, trafficClass);
        expect("set_option", cm.rdma_set_option(
                address, LibRdmacm.RDMA_OPTION_ID, LibRdmacm.RDMA_OPTION_ID_TOS, value.address(), 1),
                "trafficClass=" + trafficClass);
        Reference.reachabilityFence(value);
    }

    synchronized void resolveRoute(int timeoutMs) {
        check("resolve_route");
        expect("resolve_route", cm.rdma_resolve_route(address, timeoutMs), "");
    }

    /** Returns the name of the device that the id is bound to, or null. */
    synchronized String device() {
        check("query_id");
        return bound();
    }

    private String bound() {
        long verbs = Native.pointerAt(address + CmLayouts.CmId.VERBS);
        return verbs == 0 ? null
                : Libraries.ibverbs().ibv_get_device_name(Native.pointerAt(verbs + Context.DEVICE));
    }

    /**
     * Returns the address of the peer's host; null when it has none that Java knows. A peer that asked for the
     * connection is at the address of its GID, to which the kernel sends: the header of its request is its own word.
     */
    synchronized InetAddress peerHost() {
        check("query_id");
        if (!asked) {
            return SocketAddress.hostAt(address + CmLayouts.CmId.DST_ADDR);
        }
        byte[] gid = new byte[Gid.BYTES];
        Native.view(address + CmLayouts.CmId.DGID, Gid.BYTES).get(0, gid);
        return new Gid(gid).isZero() ? null : new Gid(gid).host();
    }

    /** Returns the local port. */
    synchronized int port() {
        check("query_id");
        return Short.reverseBytes(cm.rdma_get_src_port(address)) & 0xffff;
    }

    /** Sends the request. */
    synchronized void connect(RdmaQueuePair qp, byte[] framed) {
        check("connect");
        expectUp("connect");
        talks = true;
        Native data = data(framed);
        Native parameters = parameters(qp, data, framed.length);
        expect("connect", cm.rdma_connect(address, parameters.address()), "");
        Reference.reachabilityFence(data);
        Reference.reachabilityFence(parameters);
    }

    /** Answers yes. */
    synchronized void accept(RdmaQueuePair qp, byte[] framed) {
        check("accept");
        expectUp("accept");
        Native data = data(framed);
        Native parameters = parameters(qp, data, framed.length);
        expect("accept", cm.rdma_accept(address, parameters.address()), "");
        Reference.reachabilityFence(data);
        Reference.reachabilityFence(parameters);
    }

    /** Answers no. */
    synchronized void reject(byte[] framed) {
        check("reject");
        expectUp("reject");
        Native data = data(framed);
        expect("reject", cm.rdma_reject(address, data.address(), framed.length), "");
        Reference.reachabilityFence(data);
    }

    /** Says that the answer came. */
    synchronized void establish() {
        check("establish");
        expect("establish", cm.rdma_establish(address), "");
    }

    /** Tells the peer that it is over, or that this was heard. */
    synchronized void disconnect() {
        if (!destroyed && RxeLink.down(bound()) == null) { // else it is told when the id ends: see Postponed
            cm.rdma_disconnect(address); // refused where the peer was faster: both know
        }
    }

    /** Nothing is sent from a device that is down: see {@link Postponed}. */
    private void expectUp(String operation) {
        if (RxeLink.down(bound()) != null) {
            throw new VerbsException(operation, RxeLink.trouble(bound(), 1));
        }
    }

    private static Native data(byte[] framed) {
        return Native.allocate(framed.length).putBytes(0, framed);
    }

    private static Native parameters(RdmaQueuePair qp, Native data, int length) {
        int depth = qp.states().readsUnderWay();
        return Native.allocate(ConnParam.BYTES)
                .putLong(ConnParam.PRIVATE_DATA, data.address())
                .putByte(ConnParam.PRIVATE_DATA_LEN, length)
                .putByte(ConnParam.RESPONDER_RESOURCES, depth)
                .putByte(ConnParam.INITIATOR_DEPTH, depth)
                .putByte(ConnParam.FLOW_CONTROL, 1)
                .putByte(ConnParam.RETRY_COUNT, RETRIES)
                .putByte(ConnParam.RNR_RETRY_COUNT, RNR_RETRIES)
                .putInt(ConnParam.QP_NUM, qp.number());
    }

    /** Moves the QP from INIT to RTS, as the messages of both sides agreed. */
    synchronized void ready(RdmaQueuePair qp) {
        check("init_qp_attr");
        QpChange receive = change(Ibv.QPS_RTR);
        QpChange send = change(Ibv.QPS_RTS);
        qp.states().connect(receive, send);
        qp.stateChanged();
    }

    private QpChange change(int state) {
        QpChange change = new QpChange(state);
        Native mask = Native.allocate(8);
        expect("init_qp_attr", cm.rdma_init_qp_attr(address, change.attr().address(), mask.address()), "");
        return change.mask(mask.getInt(0));
    }

    /** Has another channel, and a handler of its own, take the events from now on, those that are pending, too. */
    synchronized void moveTo(CmChannel target, CmHandler handler) {
        check("migrate_id");
        if (target == channel) {
            channel.handler(address, handler);
            return;
        }
        target.adopt();
        target.handler(address, handler);
        if (cm.rdma_migrate_id(address, target.address()) != 0) {
            NativeException e = NativeException.last("migrate_id", "");
            target.forget(address);
            target.abandon();
            throw e;
        }
        channel.forget(address);
        channel.abandon();
        channel = target;
    }

    /** Ends it; who is connected, or waits for an answer, is told. Idempotent. */
    synchronized void destroy() {
        if (!destroyed) {
            destroyed = true;
            channel.forget(address);
            if (talks) {
                Postponed.end(bound(), this::end);
            } else {
                end();
            }
        }
    }

    private synchronized void end() {
        cm.rdma_destroy_id(address);
        channel.abandon();
    }
}
