package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Fetches;
import org.jvrpc.runtime.session.RpcHeader;

/** The long requests of a session on their way in. Poller thread. */
final class LongRequests {

    private final ServerSession session;
    private final OpenedMethods opened;
    private final ServerControls controls;
    private final Fetches fetches;
    private final FarRequest far;

    LongRequests(ServerSession session, OpenedMethods opened, ServerControls controls) {
        this.controls = controls;
        this.session = session;
        this.opened = opened;
        this.fetches = new Fetches(session.link(), session.bodies(), session.server().clock());
        this.far = new FarRequest(session);
    }

    boolean isEmpty() {
        return fetches.isEmpty();
    }

    /**
     * Takes a request over, or answers it where it may not be.
     *
     * @param in where its descriptor lies
     */
    void begin(ServerSlot slot, long first, long second, ByteBuffer in, int at) {
        try {
            LongRequest request = new LongRequest(
                    session, far, slot, first, second, in, at, longest(first, second));
            if (mayStayFar(first, second) && request.begin(far)) {
                request.stayFar();
                add(request);
            } else {
                fetch(request);
            }
        } catch (RpcException e) {
            slot.target(opened.known(RpcHeader.method(first)));
            session.refused(slot, e);
        }
    }

    /** Returns how long arguments may be, of a method that may be called: asked before they cost anything. */
    private long longest(long first, long second) {
        int number = RpcHeader.method(first);
        if (number == RpcHeader.OPEN) {
            return HeavyCalls.LARGE;
        }
        opened.expect(number, RpcHeader.extensionLength(second) == 0);
        if (controls.hasSaidGoAway()) {
            throw new RpcException(Status.UNAVAILABLE, "server is shutting down");
        }
        return session.server().settings().maxBodyBytes();
    }

    /** A light method without an extension behind its arguments reads them on this thread, before anything else. */
    private boolean mayStayFar(long first, long second) {
        ServiceTable.Method method = opened.find(RpcHeader.method(first));
        return method != null && !method.descriptor().heavy() && RpcHeader.extensionLength(second) == 0;
    }

    private void add(LongRequest request) {
        fetches.add(request);
        session.hasChores();
    }

    private void fetch(LongRequest request) {
        if (request.allocateSoon(session.bodies())) {
            allocated(request);
        } else {
            session.server().allocate(() -> {
                request.allocate(session.bodies());
                session.finish(() -> allocated(request));
            });
        }
    }

    private void allocated(LongRequest request) {
        if (session.isBuried()) {
            request.giveBack(session.bodies());
        } else if (request.refusal() != null) {
            session.refused(request.slot, request.refusal());
        } else {
            add(request);
        }
    }

    /** Goes on with the request whose turn it is; true when a piece came. */
    boolean poll(int turn) {
        boolean lost = session.link().failure() != null;
        boolean came = fetches.poll(turn);
        if (!came && !lost && session.link().failure() != null) {
            session.unreadable();
        }
        return came;
    }

    /** Gives the memory back of those that are still on their way. After the end of the link. */
    void clear() {
        fetches.clear();
    }
}
