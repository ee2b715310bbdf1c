package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;

/** How a client connects within its process. One thread at a time connects. */
final class InprocClient implements ClientTransport {

    private final String address;
    private final Clock clock;
    private final InprocEvents events;

    InprocClient(String address, Clock clock) {
        this.address = address;
        this.clock = clock;
        this.events = new InprocEvents(clock);
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Device device() {
        return null;
    }

    @Override
    public boolean isLost() {
        return false;
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public String name() {
        return address;
    }

    @Override
    public String trouble() {
        return "";
    }

    @Override
    public Connected connect(Hello asked, long timeoutNs, Runnable meanwhile) {
        Undo undo = new Undo();
        try {
            KeyedBodies bodies = undo.keep(new KeyedBodies(null));
            Arrival.Admitted admitted = enter(new Arrival(asked, events, bodies), timeoutNs, meanwhile);
            undo.<AutoCloseable>keep(admitted.side().pair()::end);
            Hello granted = admitted.granted();
            if (asked.mismatch(granted) != null) {
                throw new ConnectionException(Reason.VERSION, address + " " + asked.mismatch(granted), null);
            }
            SlotFrames slots = new SlotFrames(null, granted.firstUnits(), granted.units(), granted.unitBytes());
            InprocLink link = new InprocLink(clock, admitted.side(), slots, granted.unitBytes());
            return new Connected(link, bodies, granted);
        } catch (RuntimeException | Error e) {
            undo.run();
            throw e;
        }
    }

    private Arrival.Admitted enter(Arrival arrival, long timeoutNs, Runnable meanwhile) {
        InprocServer server = InprocServer.at(address);
        if (server == null || !server.enter(arrival)) {
            throw new ConnectionException(Reason.UNREACHABLE,
                    "nobody listens at " + address + " in this process", null);
        }
        Object outcome;
        try {
            meanwhile.run();
            outcome = arrival.await(clock, timeoutNs);
        } catch (RuntimeException | Error e) { // else the server has a session that nobody ends
            arrival.leave();
            throw e;
        }
        if (outcome instanceof Arrival.Admitted admitted) {
            return admitted;
        }
        if (outcome instanceof Arrival.Refused refused) {
            throw Hello.refused(refused.bytes(),
                    new ConnectionException(Reason.REJECTED, address + " refuses", refused.bytes(), null));
        }
        throw new ConnectionException(Reason.TIMEOUT, address + ": " + (Thread.currentThread().isInterrupted()
                ? "interrupted" : "nobody answers in time"), null);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
