package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.RpcHeader;

/** The methods of the services that a client has opened, by number. Poller thread. */
final class OpenedMethods {

    private static final ServiceTable.Method[] NONE = {};

    private final ServiceTable services;
    private final Gate gate;
    /** Those that are called without a question; none where each call has to pass the gate. */
    private ServiceTable.Method[] methods = NONE;
    /** Those that are behind the gate, and what it is asked for each, by number. */
    private ServiceTable.Method[] gated = NONE;
    private Access[] accesses = {};

    /** Why there is none any more; null while there are. */
    private String refusal;

    OpenedMethods(ServiceTable services, Gate gate) {
        this.services = services;
        this.gate = gate;
    }

    /** Returns a method that needs no question; null where none is open, or where it has to be asked for. */
    ServiceTable.Method find(int number) {
        return number < methods.length ? methods[number] : null;
    }

    /** Returns a method that is to be asked for by {@link #enter}; null where none is open. */
    ServiceTable.Method findGated(int number) {
        return number < gated.length ? gated[number] : null;
    }

    /** Returns a method that is open, whether it is to be asked for or not; null for another. */
    ServiceTable.Method known(int number) {
        ServiceTable.Method method = find(number);
        return method != null ? method : findGated(number);
    }

    /**
     * Looks at a call that {@link #find} does not know: where it has to be let in, and is, it has its method then. Its
     * extension has been read, its arguments not.
     *
     * @param second of its header
     * @param in where its arguments lie
     * @return the method; null where it is to open a service
     * @throws RpcException when it may not be made
     */
    ServiceTable.Method enter(ServerSlot slot, int number, long second, ByteBuffer in, int offset) {
        if (number == RpcHeader.OPEN) {
            return null;
        }
        ServiceTable.Method method = findGated(number);
        if (method == null) {
            throw unopened(number);
        }
        slot.target(method);
        enter(slot, number, second);
        slot.retarget(method, in, offset, RpcHeader.bodyLength(second));
        return method;
    }

    /** Has a call let in whose method is behind the gate. @throws RpcException when it may not be made */
    void enter(ServerSlot slot, int number, long second) {
        long bytes = (long) RpcHeader.bodyLength(second) + RpcHeader.extensionLength(second);
        slot.pass(gate.enter(accesses[number], slot.extension().metadata(), bytes));
    }

    /**
     * A call comes whose arguments are still to be fetched.
     *
     * @param bare true when nothing travels with it that could show who calls
     * @throws RpcException when its method is not open, or, for all that is known yet, it may not be made
     */
    void expect(int number, boolean bare) {
        if (find(number) == null) {
            if (findGated(number) == null) {
                throw unopened(number);
            }
            if (bare) {
                gate.expect(accesses[number]);
            }
        }
    }

    /** Opens a service for the client that asks by a slot's arguments. @throws RpcException when it cannot be */
    void open(ServerSlot slot) {
        if (refusal != null) {
            throw unopened(RpcHeader.OPEN);
        }
        if (!gate.isWatching()) {
            // who was revoked meanwhile is told of no program
            methods = services.open(slot.arguments(), slot.result(), methods, name -> { }, gate::mayRunProgram);
            return;
        }
        ServiceTable.Method[] more = services.open(slot.arguments(), slot.result(), gated,
                name -> gate.open(name, slot.extension().metadata()), gate::mayRunProgram);
        accesses = Arrays.copyOf(accesses, more.length);
        for (int i = 0; i < more.length; i++) {
            accesses[i] = more[i] == null || accesses[i] != null ? accesses[i] : gate.call(more[i].descriptor());
        }
        gated = more;
    }

    /** Returns what a call of a method fails with that is not open. */
    RpcException unopened(int number) {
        return refusal == null ? services.unopened(number) : RpcException.notRun(Status.UNAUTHENTICATED, refusal);
    }

    /** Has none open any more. */
    void refuse(String why) {
        refusal = why;
        methods = NONE;
        gated = NONE;
    }

    boolean areRefused() {
        return refusal != null;
    }
}
