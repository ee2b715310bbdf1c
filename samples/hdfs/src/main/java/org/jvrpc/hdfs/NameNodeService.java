package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcService;

/**
 * The calls of a NameNode as it answers them: what goes through the call queue is answered later, by the handler or,
 * where an edit was logged, by the thread that wrote the log. See {@link NameNodeCalls}. The poller runs all of them,
 * and waits in none.
 */
@RpcService(name = NameNodeCalls.NAME)
interface NameNodeService {

    /** See {@link NameNodeCalls#login}. Left to threads of its own: groups are looked up, which may be any program. */
    CompletableFuture<LoginReply> login(LoginRequest request) throws CallFailureException, NotServedHereException;

    /** See {@link NameNodeCalls#light}. */
    ByteBuffer light(long login, int method, int callId, int retry, byte[] header, @InPlace ByteBuffer request)
            throws CallFailureException, StaleLoginException, LockedException;

    /** See {@link NameNodeCalls#queued}. */
    CompletableFuture<ByteBuffer> queued(
            long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailureException, StaleLoginException;
}
