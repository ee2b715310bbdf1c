package org.jvrpc.runtime.connection;

import org.jvrpc.runtime.client.ClientSession;
import org.jvrpc.runtime.offload.OffloadConnector;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.verbs.ClientDevice;

/** Makes and buries the sessions of a client, on a device of its own. One thread at a time. */
public final class SessionFactory implements AutoCloseable {

    private final String address;
    private final Settings settings;
    private final ClientTransport device;

    public SessionFactory(String address, Settings settings) {
        this.address = address;
        this.settings = settings;
        this.device = ClientDevice.open(address, settings.environment());
    }

    /** Returns where the event thread waits. */
    Events events() {
        return device.events();
    }

    ClientTransport device() {
        return device;
    }

    OffloadConnector newOffloads() {
        return new OffloadConnector(address, device.device(), settings);
    }

    /** Makes a session. @throws RuntimeException see {@link ClientDevice#refusal} */
    public ClientSession connect(ClientCore client) {
        return connect(client, () -> { });
    }

    /** Makes a session. @param meanwhile see {@link ClientTransport#connect} */
    public ClientSession connect(ClientCore client, Runnable meanwhile) {
        Hello asked = Hello.request(
                Protocol.CALLS, settings.slots(), settings.slotBytes(), settings.maxBodyBytes())
                .withFirst(settings.initialSlots());
        Undo undo = new Undo();
        try {
            Connected made = undo.keep(device.connect(asked, settings.connectTimeoutNs(), meanwhile));
            made.link().keepAlive(settings.keepAliveNs());
            return new ClientSession(client, made.link(), made.bodies(), made.granted(), address);
        } catch (RuntimeException e) {
            undo.run();
            throw ClientDevice.refusal(e);
        } catch (Error e) {
            undo.run();
            throw e;
        }
    }

    /** Gives the memory of a session back that ended or never began, none of whose slots is in use. */
    public void bury(ClientSession session) {
        session.link().disconnect();
        session.lock(); // who has it looks at the link's memory
        try {
            session.link().close();
            session.clear();
        } finally {
            session.unlock();
        }
        session.bodies().close();
        if (session.counters() != null) {
            session.counters().close();
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
