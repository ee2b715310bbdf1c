package org.jvrpc.ibverbs.cm;

import java.lang.ref.Reference;
import java.net.InetAddress;
import java.util.function.ToIntFunction;
import org.jvrpc.ibverbs.binding.CmLayouts;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.LibRdmacm;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.NativeException;

/** Finds the device for an address, by an id that is bound to it. Any thread. */
public final class DeviceSearch {

    private DeviceSearch() {
    }

    /** Returns the device that has a local address, or null. */
    public static String local(InetAddress host) {
        LibRdmacm cm = Libraries.rdmacm();
        Native address = SocketAddress.of(host, 0);
        String device = bound(cm, id -> cm.rdma_bind_addr(id, address.address()));
        Reference.reachabilityFence(address);
        return device;
    }

    /** Returns the device by which a remote address is reached, or null when there is none in so much time. */
    public static String towards(InetAddress host, int timeoutMs) {
        LibRdmacm cm = Libraries.rdmacm();
        Native address = SocketAddress.of(host, 0);
        String device = bound(cm, id -> cm.rdma_resolve_addr(id, 0, address.address(), timeoutMs));
        Reference.reachabilityFence(address);
        return device;
    }

    /** An id without a channel is synchronous: its calls wait for their event. */
    private static String bound(LibRdmacm cm, ToIntFunction<Long> call) {
        Native out = Native.allocate(8);
        if (cm.rdma_create_id(0, out.address(), 0, LibRdmacm.RDMA_PS_TCP) != 0) {
            throw NativeException.of("create_id", Libraries.errno(), "rdma_cm",
                    "is the module rdma_ucm loaded (modprobe rdma_ucm), and may this user open"
                            + " /dev/infiniband/rdma_cm?");
        }
        long id = out.getLong(0);
        try {
            if (call.applyAsInt(id) != 0) {
                return null;
            }
            long verbs = Native.pointerAt(id + CmLayouts.CmId.VERBS);
            return verbs == 0 ? null
                    : Libraries.ibverbs().ibv_get_device_name(Native.pointerAt(verbs + Context.DEVICE));
        } finally {
            cm.rdma_destroy_id(id);
        }
    }
}
