package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** This process connects to the child: it is connected until the child dies, or told that it is not. */
final class AcceptScene extends Scene {

    private final ConnectScene meanwhile = new ConnectScene();
    private String address;
    private ShmEnd end;
    private Background<Connection> connector;

    @Override
    public List<String> begin() {
        address = SharedMemoryFolder.freshAddress();
        end = new ShmEnd(device, 1, null, device.createChannel());
        return List.of(address);
    }

    @Override
    public void go() {
        connector = Background.start("connector", () -> {
            try {
                return device.connect(address, end.qp, new byte[0], end.channel, Deadline.BOUND_NS);
            } catch (ConnectionException e) {
                return null;
            }
        });
    }

    @Override
    public void step() {
        channel.await(0);
    }

    @Override
    public void others() {
        meanwhile.begin();
        meanwhile.others();
    }

    @Override
    public void end(boolean whole) {
        Connection connection = connector.join(60);
        assertFalse(whole && connection == null, "refused, though the child accepted");
        if (connection != null) {
            Deadline.until("the child's end", () -> {
                end.channel.await(0);
                return !connection.isConnected();
            });
            connection.close();
        }
        end.close();
        end.channel.close();
        device.listen(address, channel).close(); // the name is free
        channel.await(0);
        others();
    }

    @Override
    public void close() {
        meanwhile.close();
        super.close();
    }

    @Override
    public String toString() {
        return "connecting to " + address;
    }
}
