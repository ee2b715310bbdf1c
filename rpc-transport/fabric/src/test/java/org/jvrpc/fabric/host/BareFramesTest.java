package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork.Operation;

/** Frames that bear headers alone. */
class BareFramesTest {

    private static final int MESSAGES = 3;

    /** Payloads that end between two words have a pad, for which there is no room either. */
    @ParameterizedTest
    @CsvSource({"SEND, 1", "SEND, 1001", "SEND, 2047", "WRITE, 4095", "READ, 3", "READ, 2049", "WRITE_IMM, 1023"})
    void messagesOfAnyLengthArrive(Operation operation, int length) {
        Network network = new Network(1, false, 1024);
        Topology star = Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(), length, 2);
        List<Long> lengths = new ArrayList<>();
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withMtu(1024));
        Stream stream = new Stream(operation, length, MESSAGES);
        RcEndpoint.connect(star.host(0).endpoint(settings, stream), star.host(1).endpoint(settings, new Application() {
            @Override
            public void arrived(Arrival kind, long arrivedBytes, int word, long nowNs) {
                lengths.add(arrivedBytes);
            }
        }));
        network.events().runUntil(1_000_000_000);
        assertEquals(MESSAGES, stream.completed());
        boolean arrives = operation == Operation.SEND || operation == Operation.WRITE_IMM;
        assertEquals(arrives ? List.of((long) length, (long) length, (long) length) : List.of(), lengths);
    }
}
