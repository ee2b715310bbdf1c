package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.WcOpcode;

/** Whatever class of service packets ask for, messages arrive. */
public abstract class ServiceClassContract extends DeviceContract {

    private static final int LEVELS = 16;
    private static final byte[] NONE = {};

    ServiceClassContract(DeviceUnderTest dut) {
        super(dut);
    }

    /** Levels 0 to 15, each with another traffic class; the last has all bits. */
    private static ServiceClass some(int level) {
        return new ServiceClass(level, level * 17);
    }

    private End end(Side side, ServiceClass service) {
        End end = side.end(Setup.usual().service(service));
        end.qp.init();
        return end;
    }

    @Test
    void aConnectedQpHasAnyLevelAndTrafficClass() {
        for (int level = 0; level < LEVELS; level++) {
            Pair pair = Pair.connect(end(rig.left, some(level)), end(rig.right, some(level)));
            pair.exercise(level);
            pair.reversed().exercise(level);
        }
    }

    @Test
    void theTwoSidesNeedNotAgree() {
        Pair pair = Pair.connect(end(rig.left, ServiceClass.ofLevel(5)), end(rig.right, ServiceClass.DEFAULT));
        pair.exercise(1);
        pair.reversed().exercise(2);
    }

    @Test
    void aConnectionManagerConnectsQpsOfAClassThatOneSideOrBothAskFor() {
        assumeTrue(dut.connects(), "the device has no connection manager");
        ServiceClass[] askers = {ServiceClass.ofLevel(5), ServiceClass.DEFAULT, ServiceClass.ofLevel(3)};
        ServiceClass[] accepters = {ServiceClass.DEFAULT, ServiceClass.ofLevel(6), ServiceClass.ofLevel(3)};
        EventChannel asking = rig.left.channel();
        EventChannel accepting = rig.right.channel();
        String address = dut.address();
        Listener listener = rig.keep(rig.right.device.listen(address, accepting));
        for (int i = 0; i < askers.length; i++) {
            End left = end(rig.left, askers[i]);
            Background<Connection> connector = Background.start("connector",
                    () -> rig.left.device.connect(address, left.qp, NONE, asking, Deadline.BOUND_NS));
            End right = end(rig.right, accepters[i]);
            rig.keep(request(listener, accepting).accept(right.qp, NONE));
            rig.keep(connector.join(60));
            Pair pair = new Pair(left, right);
            pair.exercise(1);
            pair.reversed().exercise(2);
        }
    }

    private static ConnectionRequest request(Listener listener, EventChannel channel) {
        Deadline deadline = Deadline.usual();
        while (true) {
            channel.await(1_000_000);
            ConnectionRequest request = listener.poll();
            if (request != null) {
                return request;
            }
            deadline.turn(() -> "nobody wants to connect");
        }
    }

    @Test
    void datagramsOfAllClassesComeFromOneQp() {
        assumeTrue(dut.sendsDatagrams(), "the device has no datagrams");
        End left = Datagrams.ready(rig.left);
        End right = Datagrams.ready(rig.right);
        for (int level = 0; level < LEVELS; level++) {
            AddressHandle handle = rig.keep(rig.left.pd.createAh(right.qp.endpoint(), 0, some(level)));
            right.receive(level, 0, Datagrams.HEADER + 8);
            left.putLong(0, level);
            left.post(SendRequest.datagram(level, new Destination(handle, right.qp.number(), Datagrams.QKEY),
                    left.sge(0, 8)).signalled());
            left.sentOk(level, WcOpcode.SEND);
            right.receivedOk(level, Datagrams.HEADER + 8);
        }
    }
}
