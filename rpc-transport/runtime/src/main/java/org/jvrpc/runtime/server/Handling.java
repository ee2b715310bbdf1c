package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.RpcHeader;

/** What becomes of a session's requests whose arguments are at hand. Poller thread. */
final class Handling {

    private final ServerSession session;
    private final ServerCore server;
    private final OpenedMethods opened;
    private final ServerControls controls;
    private final ServerCounters counters;

    Handling(ServerSession session, OpenedMethods opened, ServerControls controls) {
        this.session = session;
        this.server = session.server();
        this.opened = opened;
        this.controls = controls;
        this.counters = session.counters();
    }

    void handle(ServerSlot slot, long first, long second, ByteBuffer in, int offset) {
        ServiceTable.Method counted = run(slot, first, second, in, offset);
        if (counted != null) {
            counters.begun(counted, RpcHeader.bodyLength(second));
        }
    }

    /** Returns the method whose counters are still to have the call, or null. */
    private ServiceTable.Method run(ServerSlot slot, long first, long second, ByteBuffer in, int offset) {
        int body = RpcHeader.bodyLength(second);
        int number = RpcHeader.method(first);
        ServiceTable.Method method = opened.find(number);
        ServiceTable.Method counted = null;
        boolean ran = false;
        try {
            slot.arguments(method, in, offset, body, RpcHeader.extensionLength(second));
            if (method == null && (method = opened.enter(slot, number, second, in, offset)) == null) {
                opened.open(slot);
            } else {
                if (counters != null) {
                    counters.begins(slot, method);
                    counted = method;
                }
                if (controls.hasSaidGoAway()) {
                    throw new RpcException(Status.UNAVAILABLE, "server is shutting down");
                } else if (method.descriptor().heavy() || body > HeavyCalls.LARGE) {
                    session.heavy().execute(slot, in, offset, body);
                    return counted;
                }
                ran = true;
                server.dispatchLight(method, slot);
                if (slot.isAsync()) {
                    return counted;
                }
            }
        } catch (Throwable t) {
            session.answer(slot, slot.fail(t, ran));
            return counted;
        }
        session.answer(slot, Status.OK);
        return counted;
    }
}
