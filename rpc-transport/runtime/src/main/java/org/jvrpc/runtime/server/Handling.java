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
        int body = RpcHeader.bodyLength(second);
        int number = RpcHeader.method(first);
        ServiceTable.Method method = opened.find(number);
        boolean ran = false;
        try {
            slot.arguments(method, in, offset, body, RpcHeader.extensionLength(second));
            if (method == null && (method = opened.enter(slot, number, second, in, offset)) == null) {
                opened.open(slot);
            } else {
                if (counters != null) {
                    counters.begins(slot, method, body);
                }
                if (controls.hasSaidGoAway()) {
                    throw new RpcException(Status.UNAVAILABLE, "server is shutting down");
                } else if (method.descriptor().heavy() || body > HeavyCalls.LARGE) {
                    session.heavy().execute(slot, in, offset, body);
                    return;
                }
                ran = true;
                server.dispatchLight(method, slot);
                if (slot.isAsync()) {
                    return;
                }
            }
        } catch (Throwable t) {
            session.answer(slot, slot.fail(t, ran));
            return;
        }
        session.answer(slot, Status.OK);
    }
}
