package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/**
 * The calls of a NameNode as it answers them: what goes through the call queue is answered later, by the handler or,
 * where an edit was logged, by the thread that wrote the log. See {@link NameNodeCalls}.
 */
@RpcService(name = NameNodeCalls.NAME)
interface NameNodeService {

    /** See {@link NameNodeCalls#login}. Runs on the executor: groups are looked up, which may be any program. */
    @RpcMethod(heavy = true)
    LoginReply login(LoginRequest request) throws CallFailure;

    /** See {@link NameNodeCalls#light}. Runs on the poller. */
    ByteBuffer light(long login, int method, int callId, int retry, byte[] header, @InPlace ByteBuffer request)
            throws CallFailure, StaleLogin;

    /** See {@link NameNodeCalls#queued}. The poller only puts it into the queue. */
    CompletableFuture<ByteBuffer> queued(
            long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailure, StaleLogin;
}
