package org.jvrpc.ibverbs.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.ServiceClass;

/** What the kernel and libibverbs are told of a class of service. */
final class QpChangeTest {

    private static final RdmaPort PORT = new RdmaPort(1, 4, 3, 0, true, 1, new Gid(new byte[16]));
    private static final RdmaEndpoint REMOTE = new RdmaEndpoint(new Gid(new byte[16]), 0, 3, 7, 9);

    private static void has(int level, int trafficClass, Native memory, int at) {
        assertEquals(level, memory.getByte(at + AhAttr.SL), "sl");
        assertEquals(trafficClass, memory.getByte(at + AhAttr.TRAFFIC_CLASS), "grh.traffic_class");
    }

    @Test
    void thePathOfAConnectedQpHasTheClassOfService() {
        QpChange change = new QpChange(Ibv.QPS_RTR).path(PORT, REMOTE, new ServiceClass(15, 255));
        has(15, 255, change.attr(), QpAttr.AH_ATTR);
        has(0, 0, new QpChange(Ibv.QPS_RTR).path(PORT, REMOTE, ServiceClass.DEFAULT).attr(), QpAttr.AH_ATTR);
    }

    @Test
    void whatAConnectionManagerFilledInIsReplaced() {
        QpChange change = new QpChange(Ibv.QPS_RTR).path(PORT, REMOTE, new ServiceClass(2, 64));
        int mask = change.mask();
        has(5, 160, change.service(ServiceClass.ofLevel(5)).attr(), QpAttr.AH_ATTR);
        assertEquals(mask, change.mask());
    }

    @Test
    void anAddressHandleHasTheClassOfService() {
        Native attr = Native.allocate(AhAttr.BYTES);
        QpChange.address(attr, 0, PORT, REMOTE, 0x12345, new ServiceClass(9, 0xb8));
        has(9, 0xb8, attr, 0);
        assertEquals(0x12345, attr.getInt(AhAttr.FLOW_LABEL));
    }
}
