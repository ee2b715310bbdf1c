package org.jvrpc.ibverbs.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** Misuse by two threads: what one uses, the other closes. */
final class Races {

    private static final int SECONDS = 20;
    private static final int RACES = 10;

    private Races() {
    }

    static void closeWhileAwaited(Device device, boolean byDevice) {
        EventChannel channel = device.createChannel();
        device.listen("rdma://10.9.0.1:23304", channel);
        Background<Boolean> waiting = Background.start("waiting", () -> {
            boolean event = false;
            for (int i = 0; i < 3; i++) {
                event = channel.await(60_000_000_000L);
            }
            return event;
        });
        channel.wakeup(); // one wait of three, so that the thread is likely inside the next
        if (byDevice) {
            device.close();
        } else {
            channel.close();
        }
        waiting.join(SECONDS);
        device.close();
    }

    static void closeWhilePolled(Device device, String driver) {
        for (int i = 0; i < RACES; i++) {
            Node node = Misuse.connectedToItself(device);
            AtomicBoolean stop = new AtomicBoolean();
            Background<Boolean> polling = Background.start("polling", () -> {
                Deadline deadline = Deadline.usual();
                while (!stop.get() && !deadline.isOver()) {
                    Misuse.mayRefuse(() -> node.sends.poll(node.wc));
                }
                return true;
            });
            Misuse.send(node).execute();
            node.close();
            Misuse.collect();
            stop.set(true);
            polling.join(SECONDS);
        }
    }

    static void closeWhilePosted(Device device, String driver) {
        for (int i = 0; i < RACES; i++) {
            Node node = Misuse.connectedToItself(device);
            PostReceive receive = Misuse.receive(node);
            PostSend send = Misuse.send(node);
            Background<Boolean> posting = Background.start("posting", () -> {
                Deadline deadline = Deadline.usual();
                while (send.valid() && !deadline.isOver()) {
                    Misuse.mayRefuse(receive::execute);
                    Misuse.mayRefuse(send::execute);
                }
                return true;
            });
            for (int n = 0; n < 100; n++) {
                node.sends.poll(node.wc);
                node.receives.poll(node.wc);
            }
            node.close();
            posting.join(SECONDS);
        }
    }

    static void closeDeviceInUse(Device unused, String driver) {
        for (int i = 0; i < RACES; i++) {
            Device device = Devices.open("rdma://10.9.0.1:0?device=rxe0&driver=" + driver);
            Node node = Misuse.connectedToItself(device);
            EventChannel channel = device.createChannel();
            PostReceive receive = Misuse.receive(node);
            PostSend send = Misuse.send(node);
            List<Background<Boolean>> users = new ArrayList<>();
            AtomicBoolean stop = new AtomicBoolean();
            for (Misuse.Step step : new Misuse.Step[] {() -> {
                receive.execute();
                send.execute();
            }, () -> {
                node.sends.poll(node.wc);
                node.receives.poll(node.wc);
            }, () -> channel.await(1_000_000), () -> node.pd.allocate(4096, 0).close()}) {
                users.add(Background.start("user", () -> {
                    Deadline deadline = Deadline.usual();
                    while (!stop.get() && !deadline.isOver()) {
                        Misuse.mayRefuse(step);
                    }
                    return true;
                }));
            }
            Misuse.collect();
            device.close();
            Misuse.collect();
            stop.set(true);
            users.forEach(user -> user.join(SECONDS));
            node.close();
            channel.close();
        }
    }
}
