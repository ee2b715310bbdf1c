package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Layouts.DeviceAttr;
import org.jvrpc.ibverbs.binding.Native;

/** Limits of a device. Source: ibv_query_device(3). */
public record RdmaLimits(
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxCqe,
        int maxSrqWr,
        int maxSrqSge,
        int maxDestRdAtomic,
        int maxRdAtomic,
        int vendorId,
        String firmware) {

    static RdmaLimits read(Native attr) {
        return new RdmaLimits(
                attr.getInt(DeviceAttr.MAX_QP),
                attr.getInt(DeviceAttr.MAX_QP_WR),
                attr.getInt(DeviceAttr.MAX_SGE),
                attr.getInt(DeviceAttr.MAX_CQE),
                attr.getInt(DeviceAttr.MAX_SRQ_WR),
                attr.getInt(DeviceAttr.MAX_SRQ_SGE),
                attr.getInt(DeviceAttr.MAX_QP_RD_ATOM),
                attr.getInt(DeviceAttr.MAX_QP_INIT_RD_ATOM),
                attr.getInt(DeviceAttr.VENDOR_ID),
                attr.string(DeviceAttr.FW_VER, 64));
    }
}
