package org.jvrpc.hdfs;

import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.security.AuthorizationContext;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** What the calling thread says of itself beside the call; mostly nothing. Any thread. */
final class CallerHeader {

    private static final byte[] NOTHING = {};

    private CallerHeader() {
    }

    /** Returns a partial {@link RpcRequestHeaderProto}. */
    static byte[] current() {
        CallerContext context = CallerContext.getCurrent();
        byte[] authorization = AuthorizationContext.getCurrentAuthorizationHeader();
        boolean says = context != null && context.isContextValid();
        if (!says && authorization == null) {
            return NOTHING;
        }
        RpcRequestHeaderProto.Builder header = RpcRequestHeaderProto.newBuilder();
        if (says) {
            RPCCallerContextProto.Builder caller = RPCCallerContextProto.newBuilder().setContext(context.getContext());
            if (context.getSignature() != null) {
                caller.setSignature(ByteString.copyFrom(context.getSignature()));
            }
            header.setCallerContext(caller);
        }
        if (authorization != null) {
            header.setAuthorizationHeader(ByteString.copyFrom(authorization));
        }
        return header.buildPartial().toByteArray();
    }
}
