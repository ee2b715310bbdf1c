package org.jvrpc.hdfs;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.util.StringUtils;

/** Exceptions of the NameNode's side, as the client is to see them. */
final class Failures {

    private Failures() {
    }

    /** Takes an exception apart, as Hadoop's server does: class, message with stack, status, code. */
    static CallFailureException toWire(Throwable thrown) {
        Throwable cause = thrown instanceof UndeclaredThrowableException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
        RpcStatusProto status = RpcStatusProto.ERROR;
        RpcErrorCodeProto code = RpcErrorCodeProto.ERROR_APPLICATION;
        if (cause instanceof RpcServerException e) {
            status = e.getRpcStatusProto();
            code = e.getRpcErrorCodeProto();
        }
        String className = cause.getClass().getName();
        String text = StringUtils.stringifyException(cause);
        if (text.startsWith(className + ": ")) { // RemoteException puts the name there again
            text = text.substring(className.length() + 2);
        }
        return new CallFailureException(className, text, status.getNumber(), code.getNumber());
    }

    /** Makes what is thrown for bytes that are no message. */
    static RpcServerException unreadable(String what, IOException cause) {
        return new RpcServerException("the request cannot be read: " + what + ": " + cause.getMessage(), cause);
    }

    /** Makes what is thrown for a request that is longer than the NameNode takes. */
    static IOException tooLong(String method, int bytes, int limit) {
        return new IOException("Requested data length " + bytes + " of " + method
                + " is longer than maximum configured RPC length " + limit + ": ipc.maximum.data.length");
    }
}
