package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A call that goes through the call queue and is answered by whichever thread ends it. The caller's thread makes it, a
 * handler runs it.
 */
final class QueuedCall extends NameNodeCall {

    private final RPC.Server server;
    private final CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();

    QueuedCall(
            Logins.Login login,
            int callId,
            int retry,
            RpcRequestHeaderProto extras,
            RPC.Server server,
            BlockingService service,
            MethodTable.Entry method,
            byte[] request) {
        super(login, callId, retry, extras, service, method, request);
        this.server = server;
    }

    CompletableFuture<ByteBuffer> answer() {
        return answer;
    }

    /** Ends a call that never came into the queue. */
    void fail(Throwable cause) {
        answer.completeExceptionally(Failures.toWire(cause));
    }

    @Override
    protected void answer(Message result, Throwable cause) {
        if (cause != null) {
            log(server, cause, this);
            fail(cause);
        } else {
            answer.complete(ByteBuffer.wrap(result.toByteArray()));
        }
    }
}
