package org.jvrpc.runtime.verbs;

import java.util.Set;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.runtime.transport.Transports;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;

/** The device of a client of whatever protocol, and how it connects to its server. One thread at a time connects. */
public final class ClientDevice implements ClientTransport {

    /** What is refused where this host has no device for an address, or none of its libraries or modules. */
    private static final Set<String> NO_DEVICE = Set.of("open_device", "load", "get_device_list", "create_id");

    private final String address;
    private final Clock clock;
    private final Device device;
    private final EventChannel channel;
    private final Events events;

    ClientDevice(String address, Clock clock) {
        this.address = address;
        this.clock = clock;
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Transports.device(() -> Devices.open(address)));
            this.channel = device.createChannel();
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.events = new ChannelEvents(channel);
    }

    /** Opens that of an address of whatever kind. Fails as {@link Transport#openClient} does. */
    public static ClientTransport open(String address, Environment environment) {
        Transport transport = Transports.of(address);
        return transport == null ? new ClientDevice(address, environment.clock())
                : transport.openClient(address, environment);
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public boolean isLost() {
        return device.isLost();
    }

    @Override
    public boolean isPrivate() {
        return device.isPrivate();
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public String trouble() {
        String trouble = device.trouble();
        return trouble == null ? "" : "; " + trouble;
    }

    @Override
    public Connected connect(Hello asked, long timeoutNs, Runnable meanwhile) {
        Undo undo = new Undo();
        try {
            SessionDomain domain = new SessionDomain(device, null);
            BodyPool bodies = undo.keep(new BodyPool(domain));
            Protocol protocol = asked.protocol();
            VerbsLink link = undo.keep(new VerbsLink(clock, device, domain, channel, new LinkSize(
                    asked.firstUnits(), asked.units(), asked.unitBytes(), protocol.answers(asked.firstUnits()),
                    protocol.answers(asked.units()))));
            Connection connection =
                    undo.keep(device.connect(address, link.qp(), asked.encode(), channel, timeoutNs, meanwhile));
            Hello granted = Hello.decode(connection.privateData());
            if (asked.mismatch(granted) != null) {
                throw new ConnectionException(Reason.VERSION, address + " " + asked.mismatch(granted), null);
            }
            if (granted.firstUnits() > asked.firstUnits()) { // a server that knows of no more than one number
                link.grow(link.prepare(granted.firstUnits(), protocol.answers(granted.firstUnits())));
            }
            link.lessen(granted.unitBytes());
            link.connected(connection);
            return new Connected(link, bodies, granted);
        } catch (ConnectionException e) {
            undo.run();
            throw e.reason() == Reason.REJECTED ? Hello.refused(e.privateData(), e) : e;
        } catch (RuntimeException | Error e) {
            undo.run();
            throw e;
        }
    }

    /** Returns what a client of calls throws for a failure to open or to connect. */
    public static RuntimeException refusal(RuntimeException e) {
        return e instanceof VerbsException ? new RpcException(statusOf(e), e.getMessage(), e) : e;
    }

    /** Returns how a call ends that needed what was refused; RESOURCE_EXHAUSTED where nothing is known. */
    static Status statusOf(Throwable refused) {
        if (!(refused instanceof VerbsException e)) {
            return Status.RESOURCE_EXHAUSTED;
        }
        return switch (e.why()) {
            case GONE -> Status.UNAVAILABLE;
            case FORBIDDEN -> Status.PERMISSION_DENIED;
            case UNKNOWN_CALLER -> Status.UNAUTHENTICATED;
            case VERSION -> Status.FAILED_PRECONDITION;
            case QUOTA -> Status.RESOURCE_EXHAUSTED;
            case DEVICE -> NO_DEVICE.contains(e.operation()) ? Status.UNAVAILABLE : Status.RESOURCE_EXHAUSTED;
        };
    }

    @Override
    public void close() {
        device.close();
    }
}
