package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.RpcClient;

/** What those who were expelled cost their server: nothing. Servers are of the test's own process. */
public abstract class ExpulsionContract extends RpcContract {

    private final Queue<CompletableFuture<byte[]>> unanswered = new ConcurrentLinkedQueue<>();

    private CompletableFuture<byte[]> unanswered() {
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        unanswered.add(result);
        return result;
    }

    private static boolean isLetIn(Calls calls) {
        try {
            calls.nothing();
            return true;
        } catch (RpcException e) {
            return false;
        }
    }

    @Test
    void limitsOfWhoIsExpelledAreFreeAgainOnceForEachCall() throws Exception {
        TestServer server = serve(newAddress(), builder -> builder.principalLimits(
                new PrincipalLimits().maxCalls(4).maxSessions(1)));
        tellServer(side -> side.impl.echoes = bytes -> unanswered());
        RpcClient client = connect(server);
        CallsAsync calls = async(client);
        Calls more = client.stub(Calls.class);
        List<CompletableFuture<?>> underWay = List.of(calls.hang(1), calls.hangLater(2), calls.echoLater(new byte[1]),
                calls.echoHeavyLater(new byte[1 << 20]));
        Await.until("the calls to be there", () -> hanging() + unanswered.size() == 4);
        AutoCloseable revocation = server.ask(each -> each.revoke(principal -> true));
        for (CompletableFuture<?> each : underWay) {
            endedWith(Status.UNAUTHENTICATED, Await.outcome(each));
        }
        openGate();
        revocation.close();
        Await.until("the client to come again", () -> isLetIn(more));
        unanswered.forEach(each -> each.complete(new byte[1])); // which says nothing to anybody, and counts out no more
        Await.until("four calls to be let in", () -> {
            while (unanswered.size() < 6) {
                int there = unanswered.size();
                CompletableFuture<byte[]> call = calls.echoLater(new byte[1]);
                Await.until("it to begin or to be refused", () -> call.isDone() || unanswered.size() > there);
                if (call.isDone()) {
                    return false;
                }
            }
            return true;
        });
        for (int i = 0; i < 10; i++) {
            String message = failsWith(Status.RESOURCE_EXHAUSTED, more::nothing);
            assertTrue(message.contains("calls under way=4 limit=4"), message);
        }
    }
}
