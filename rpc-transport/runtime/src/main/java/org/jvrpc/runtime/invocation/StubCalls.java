package org.jvrpc.runtime.invocation;

import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.ObjectCodec;

/** What all calls of a stub at a server have in common: how their objects travel, and the time that they have. */
public final class StubCalls {

    private final ObjectCodec objects;
    private final long deadlineNs;
    private final long otherwiseNs;

    /**
     * @param objects decodes and encodes the objects of the service
     * @param otherwiseNs the time of calls for which neither the options nor their methods say any
     */
    public StubCalls(ObjectCodec objects, CallOptions options, long otherwiseNs) {
        this.objects = objects;
        this.deadlineNs = options.deadlineNs();
        this.otherwiseNs = otherwiseNs;
    }

    /** Returns what decodes and encodes the objects of the service. */
    public ObjectCodec objects() {
        return objects;
    }

    /** Returns the nanoseconds that a call of a method has. */
    public long limitNs(MethodDescriptor method) {
        if (deadlineNs > 0) {
            return deadlineNs;
        }
        return method.deadlineNs() > 0 ? method.deadlineNs() : otherwiseNs;
    }
}
