package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Supplier;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** The client's end of a verb. */
public final class VerbsClient implements ClientEnd {

    private final Verb verb;
    private final Supplier<String> device;
    private VerbsEnd end;
    private VerbLoop loop;

    /** A client of one verb. @param driver {@code user} or {@code generic} */
    public VerbsClient(Verb verb, String driver) {
        this(verb, () -> Link.CLIENT.verbs(driver));
    }

    /** A client over a device of its own. @param device its address */
    public VerbsClient(Verb verb, Supplier<String> device) {
        this.verb = verb;
        this.device = device;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        end = new VerbsEnd(device.get(), verb.more());
        loop = VerbLoop.of(verb, end);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address))) {
            end.connect(socket);
        }
        loop.begin();
    }

    @Override
    public Operation operation(Workload workload) {
        VerbLoop prepared = loop;
        return new Operation() {
            @Override
            public void call() {
                prepared.call();
            }
        };
    }

    @Override
    public void close() {
        end.close();
    }
}
