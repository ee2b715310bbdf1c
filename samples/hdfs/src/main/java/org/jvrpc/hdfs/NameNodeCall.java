package org.jvrpc.hdfs;

import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.JvrpcCall;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** A call of a method of a protobuf service. One thread runs it. */
abstract class NameNodeCall extends JvrpcCall {

    private final BlockingService service;
    private final MethodTable.Entry method;
    private final byte[] request;

    /** @param extras null when the caller sent none */
    NameNodeCall(
            Logins.Login login,
            int callId,
            int retry,
            RpcRequestHeaderProto extras,
            BlockingService service,
            MethodTable.Entry method,
            byte[] request) {
        super(callId, retry, login.clientId(), context(extras), authorization(extras), login.user(), login.host());
        this.service = service;
        this.method = method;
        this.request = request;
    }

    private static CallerContext context(RpcRequestHeaderProto extras) {
        return extras == null || !extras.hasCallerContext()
                ? null
                : new CallerContext.Builder(extras.getCallerContext().getContext())
                        .setSignature(extras.getCallerContext().getSignature().toByteArray())
                        .build();
    }

    private static byte[] authorization(RpcRequestHeaderProto extras) {
        return extras == null || !extras.hasAuthorizationHeader()
                ? null
                : extras.getAuthorizationHeader().toByteArray();
    }

    final int requestBytes() {
        return request.length;
    }

    @Override
    protected final String methodName() {
        return method.name();
    }

    @Override
    protected final Message execute() throws Exception {
        Message parameter;
        try {
            parameter = method.prototype().getParserForType().parseFrom(request);
        } catch (InvalidProtocolBufferException e) {
            throw Failures.unreadable(method.name(), e);
        }
        try {
            return service.callBlockingMethod(method.descriptor(), null, parameter);
        } catch (ServiceException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
