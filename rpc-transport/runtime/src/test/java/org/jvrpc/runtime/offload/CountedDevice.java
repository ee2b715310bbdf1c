package org.jvrpc.runtime.offload;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SendRequest;

/** A client's device of shared memory that counts what is posted, and refuses what a test says. One thread. */
final class CountedDevice {

    /** Lookups that were asked, READs, connections that were made and those that were closed. */
    int lookups;
    int reads;
    int connections;
    int closed;
    /** Lookups are posted and never answered. */
    boolean holdsLookups;
    /** READs are not posted. */
    boolean refusesReads;
    /** What whoever connects meets. */
    Throwable refusal;

    final Device device;

    CountedDevice() {
        Device real = Devices.open("shm://any");
        device = port(Device.class, real, (method, arguments) -> switch (method.getName()) {
            case "allocatePd" -> domain((ProtectionDomain) call(real, method, arguments));
            case "connect" -> connect(real, method, arguments);
            default -> call(real, method, arguments);
        });
    }

    private Object connect(Device real, Method method, Object[] arguments) throws Throwable {
        if (refusal != null) {
            throw refusal;
        }
        arguments[1] = ((Port) Proxy.getInvocationHandler(arguments[1])).target;
        Connection connection = (Connection) call(real, method, arguments);
        connections++;
        return port(Connection.class, connection, (called, values) -> {
            closed += called.getName().equals("close") ? 1 : 0;
            return call(connection, called, values);
        });
    }

    private ProtectionDomain domain(ProtectionDomain real) {
        return port(ProtectionDomain.class, real, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof QueuePair qp ? queuePair(qp) : result;
        });
    }

    private QueuePair queuePair(QueuePair real) {
        return port(QueuePair.class, real, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof PostSend send ? send(send, ((SendRequest[]) arguments[0])[0].opcode()) : result;
        });
    }

    private PostSend send(PostSend real, SendRequest.Opcode opcode) {
        PostSend[] self = new PostSend[1];
        self[0] = port(PostSend.class, real, (method, arguments) -> {
            if (method.getName().equals("execute")) {
                boolean read = opcode == SendRequest.Opcode.RDMA_READ;
                reads += read ? 1 : 0;
                lookups += read ? 0 : 1;
                if (read ? refusesReads : holdsLookups) {
                    return read ? 0 : 1;
                }
            }
            Object result = call(real, method, arguments);
            return result == real ? self[0] : result;
        });
        return self[0];
    }

    // ---- one object before another

    /** What is done in the place of a call. */
    private interface Rule {
        Object apply(Method method, Object[] arguments) throws Throwable;
    }

    /** @param target whom the rule calls */
    private record Port(Object target, Rule rule) implements java.lang.reflect.InvocationHandler {

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return rule.apply(method, arguments);
        }
    }

    private static <T> T port(Class<T> type, T target, Rule rule) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Port(target, rule)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
