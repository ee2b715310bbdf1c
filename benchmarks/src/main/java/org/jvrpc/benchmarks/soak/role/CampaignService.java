package org.jvrpc.benchmarks.soak.role;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** What a campaign calls. Each call bears its identity in the journal, and its answer follows from its arguments. */
@RpcService
public interface CampaignService {

    /** Answers from the poller. */
    long light(long id, long argument);

    /** Answers from the executor. */
    @RpcMethod(heavy = true)
    long heavy(long id, long argument);

    /** Returns the bytes changed by the identity. */
    byte[] bytes(long id, byte[] body);

    /** Answers when it has slept. */
    @RpcMethod(heavy = true)
    long late(long id, long argument, int afterMs);

    /** Answers after longer than any caller waits. */
    @RpcMethod(heavy = true)
    long hang(long id, long argument);

    /** Answers when the other server has. */
    @RpcMethod(heavy = true)
    long back(long id, long argument);

    /** Answers later, from a thread of its own. */
    CompletableFuture<Long> later(long id, long argument, int afterMs);

    /** Throws what it does not declare. */
    long broken(long id, boolean error);

    /** Throws what it declares. */
    long refused(long id) throws RefusedException;

    /** Has no answer. */
    @OneWay
    void tick(long id);

    /** Answers, when as many calls of this client are here as were announced, or after a while, how many there are. */
    CompletableFuture<Integer> gather(int place, int count);

    /** Holds the poller up until it is released. */
    void hold();

    /** The answer of {@link #refused}. */
    final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        /** Names the call. */
        public RefusedException(String message) {
            super(message);
        }
    }
}
