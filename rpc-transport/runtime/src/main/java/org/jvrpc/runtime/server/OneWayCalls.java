package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.verbs.rare.Rare;

/** The one-way calls of one session. Poller thread. */
final class OneWayCalls {

    private final ServerSession session;
    private final HeavyCalls heavy;
    private final ServerSlot slot;
    /** Each call has to be let in. */
    private final boolean gated;

    OneWayCalls(ServerSession session, HeavyCalls heavy, WireReader reader) {
        this.session = session;
        this.heavy = heavy;
        ByteBuffer memory = ByteBuffer.allocateDirect(Settings.MIN_SLOT_BYTES);
        this.gated = session.gate().isWatching();
        this.slot = gated ? new ServerSlots.Gated(session, -1, memory, reader)
                : new ServerSlot(session, -1, memory, reader);
    }

    /** Takes the message at hand; ends the session of a client that may not send it. */
    void take(OpenedMethods opened, long first, long second, ByteBuffer in, int at, int length) {
        int number = RpcHeader.method(first);
        ServiceTable.Method method = gated ? opened.findGated(number) : opened.find(number);
        if (method == null && opened.areRefused()) {
            session.oweCredit();
        } else if (method == null) {
            Rare.reached("a one-way call of a method that is not open");
            session.breakOff("one-way call: " + opened.unopened(number).getMessage());
        } else if (!RpcHeader.fits(first, second, length) || (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0) {
            session.breakOff("one-way call of method number=" + number + " length=" + length);
        } else if (handle(opened, method, first, second, in, at + RpcHeader.BYTES)) {
            session.oweCredit();
        }
    }

    /** Makes a call or has it queued; returns true when its credit comes back now, false when later. */
    private boolean handle(
            OpenedMethods opened, ServiceTable.Method method, long first, long second, ByteBuffer in, int offset) {
        try {
            int body = RpcHeader.bodyLength(second);
            slot.begin(RpcHeader.callId(first));
            slot.arguments(method, in, offset, body, RpcHeader.extensionLength(second));
            if (gated) {
                opened.enter(slot, RpcHeader.method(first), second);
            }
            if (method.descriptor().heavy() && !heavy.mayQueueOneWay()) {
                session.breakOff("more one-way calls wait than the client has credits for");
                return false;
            }
            if (session.counters() != null) {
                session.counters().oneWay(method, body);
            }
            if (method.descriptor().heavy()) {
                heavy.executeOneWay(slot, in, offset, body);
                return false;
            }
            session.server().dispatchLight(method, slot);
        } catch (Throwable t) {
            Failures.ofOneWay(t, method.descriptor());
        } finally {
            slot.end();
        }
        return true;
    }

    /** Gives back what a method's result took that nobody asked for. */
    void release() {
        slot.releaseResponse();
    }
}
