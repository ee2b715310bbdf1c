package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.util.function.Supplier;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** A client that tries again where it is refused at first: its router makes a link to another when somebody asks. */
final class PatientClient implements ClientEnd {

    private static final int TRIES = 20;
    private static final int PAUSE_MS = 200;

    private final Supplier<ClientEnd> maker;
    private ClientEnd client;

    PatientClient(Supplier<ClientEnd> maker) {
        this.maker = maker;
    }

    @Override
    public void connect(String address, int index) throws Exception {
        for (int left = TRIES; client == null; left--) {
            ClientEnd next = maker.get();
            try {
                next.connect(address, index);
                client = next;
            } catch (RuntimeException e) {
                if (left <= 1) {
                    throw e;
                }
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    @Override
    public Operation operation(Workload workload) throws Exception {
        return client.operation(workload);
    }

    @Override
    public void close() throws IOException {
        if (client != null) {
            client.close();
        }
    }
}
