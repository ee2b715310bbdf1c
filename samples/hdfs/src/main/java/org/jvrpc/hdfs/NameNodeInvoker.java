package org.jvrpc.hdfs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.JvrpcCall;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Stands behind a client's proxy: makes each call over jvRPC, in the ways that Hadoop's retrying layers expect:
 * numbers of calls are taken and cleared, whatever fails is a {@link ServiceException} with its reason. Any thread.
 */
final class NameNodeInvoker implements RpcInvocationHandler {

    private static final int SCRATCH_BYTES = 1 << 16;
    private static final ThreadLocal<ByteBuffer> SCRATCH =
            ThreadLocal.withInitial(() -> ByteBuffer.allocate(SCRATCH_BYTES));

    private final RpcInvocationHandler plain;
    private final NameNodeCaller caller;
    private final Map<String, ClientMethod> methods = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param plain Hadoop's own transport to the same server, which connects when it is first used */
    NameNodeInvoker(Class<?> protocol, RpcInvocationHandler plain, Configuration conf) throws IOException {
        this.plain = plain;
        this.caller = new NameNodeCaller(
                protocol, plain.getConnectionId(), JvrpcCall.clientId(plain), conf);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (args == null || args.length != 2 || !(args[1] instanceof Message request)) {
            return method.getDeclaringClass() == Object.class
                    ? method.invoke(this, args)
                    : plain.invoke(proxy, method, args); // says what is wrong with the arguments
        }
        if (Client.isAsynchronousMode()) {
            return plain.invoke(proxy, method, args);
        }
        // The retrying layer sets these for one call, and looks whether the one before took them.
        int callId = Client.getCallId();
        int retry = Client.getRetryCount();
        Object outside = Client.getExternalHandler();
        Client.setCallIdAndRetryCountUnprotected(null, 0, null);
        try {
            ServerConnection connection = caller.connection();
            if (connection != null) {
                ClientMethod target = target(method);
                byte[] result = caller.call(connection, target.name(), callId, retry, bytes(request));
                return target.read(result);
            }
        } catch (PlainTransportException e) {
            // The call goes on below, with the same number.
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            throw new ServiceException(e);
        }
        Client.setCallIdAndRetryCountUnprotected(callId, retry, outside);
        return plain.invoke(proxy, method, args);
    }

    private ClientMethod target(Method method) throws ReflectiveOperationException {
        ClientMethod known = methods.get(method.getName());
        if (known == null) {
            known = ClientMethod.of(method);
            methods.put(method.getName(), known);
        }
        return known;
    }

    /** Encodes a message into memory of this thread, which the next call uses again. */
    private static ByteBuffer bytes(Message request) throws IOException {
        int length = request.getSerializedSize();
        ByteBuffer scratch = length <= SCRATCH_BYTES ? SCRATCH.get() : ByteBuffer.allocate(length);
        CodedOutputStream out = CodedOutputStream.newInstance(scratch.array(), 0, length);
        request.writeTo(out);
        out.checkNoSpaceLeft();
        return scratch.clear().limit(length);
    }

    @Override
    public ConnectionId getConnectionId() {
        return plain.getConnectionId();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            caller.close();
            plain.close();
        }
    }
}
