package org.jvrpc.samples.quickstart;

import java.util.Set;
import java.util.concurrent.Callable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run client}: calls a server that somebody else started, and goes on when that one is started anew. */
@Command(name = "client")
final class ClientCommand implements Callable<Integer> {

    /** How calls end that a server's death or absence explains. */
    private static final Set<Status> EXPECTED = Set.of(Status.UNAVAILABLE, Status.DEADLINE_EXCEEDED);

    @Mixin
    private Options.Both options;

    @Mixin
    private Options.Client client;

    @Override
    public Integer call() throws InterruptedException {
        String address = options.address() == null ? Options.ADDRESS : options.address();
        try (Interruptible run = new Interruptible()) {
            ClientRun.Result result = run.client().run(
                    address, options.idle(), client.threads(), client.seconds(), () -> null);
            boolean expected = EXPECTED.containsAll(result.tally().statuses().keySet());
            return result.wrong() == 0 && result.stuck() == 0 && result.connected() && expected ? 0 : 1;
        } catch (RpcException e) {
            if (e.status() == Status.UNAVAILABLE) {
                throw new RpcException(Status.UNAVAILABLE, e.getMessage()
                        + "\nStart a server in another terminal: samples/quickstart/run server"
                        + (address.equals(Options.ADDRESS) ? "" : " --address " + address), e);
            }
            throw e;
        }
    }
}
