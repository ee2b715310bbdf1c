package org.jvrpc.runtime;

import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** A client's device, and how sessions are made and buried on it. One thread at a time. */
final class ClientPort implements AutoCloseable {

    private final String address;
    private final Settings settings;
    private final Device device;
    private final EventChannel channel;

    ClientPort(String address, Settings settings) {
        this.address = address;
        this.settings = settings;
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(address));
            this.channel = device.createChannel();
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    EventChannel channel() {
        return channel;
    }

    /** Returns the device. */
    Device device() {
        return device;
    }

    /** Makes a session. @throws ConnectionException when there is no server or it refuses */
    ClientSession connect(ClientCore client) {
        Undo undo = new Undo();
        try {
            int slots = settings.slots();
            SessionDomain domain = new SessionDomain(device, null);
            BodyPool bodies = undo.keep(new BodyPool(domain));
            Link link = undo.keep(new Link(
                    device, domain.pd(), channel, slots, settings.slotBytes(), slots + Protocol.CONTROLS));
            Hello hello = Hello.request(Protocol.CALLS, slots, settings.slotBytes(), settings.maxBodyBytes());
            Connection connection = undo.keep(device.connect(
                    address, link.qp(), hello.encode(), channel, settings.connectTimeoutNs()));
            Hello granted = Hello.decode(connection.privateData());
            if (hello.mismatch(granted) != null) {
                throw new ConnectionException(Reason.VERSION, address + " " + hello.mismatch(granted), null);
            }
            link.lessen(granted.unitBytes());
            ClientSession session = new ClientSession(client, link, bodies, granted, address);
            session.connected(connection);
            return session;
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    /** Gives the memory of an ended session back, none of whose slots is in use. */
    void bury(ClientSession session) {
        session.connection().close();
        session.lock(); // who has it looks at the link's memory
        try {
            session.link().close();
        } finally {
            session.unlock();
        }
        session.bodies().close();
    }

    @Override
    public void close() {
        device.close();
    }
}
