package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A call that the poller runs and answers at once. When it logged an edit, which is the access time of a file at most,
 * its answer does not wait until that is durable. One thread.
 */
final class LightCall extends NameNodeCall {

    private Message result;
    private Throwable failure;

    LightCall(
            Logins.Login login,
            int callId,
            int retry,
            RpcRequestHeaderProto extras,
            BlockingService service,
            MethodTable.Entry method,
            byte[] request) {
        super(login, callId, retry, extras, service, method, request);
    }

    @Override
    protected void executed(Message answer, Throwable cause) {
        result = answer;
        failure = cause;
    }

    @Override
    protected void answer(Message answer, Throwable cause) {
        // Taken by take(); when an edit was logged, this comes after that.
    }

    /** Returns the answer. @throws CallFailureException what the method threw */
    ByteBuffer take(RPC.Server server) throws CallFailureException {
        if (failure != null) {
            log(server, failure, this);
            throw Failures.toWire(failure);
        }
        return ByteBuffer.wrap(result.toByteArray());
    }
}
