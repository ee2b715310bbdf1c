package org.jvrpc.runtime;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceProvider;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;

/**
 * Devices for {@code model://name}: the software RNIC of {@code shm://name}, with the manners of a network that a test
 * asks for, of each QP by itself.
 */
public final class ModelDevices implements DeviceProvider {

    /** How long sends to a peer that is alive may take, as the devices have it. */
    static final long LONGEST_SEND_NS = 15_000_000_000L;
    private static final List<Qp> QPS = new CopyOnWriteArrayList<>();

    /** What happens to one QP. */
    public static final class Qp {
        /** The peer's host is gone: what is posted stays so. */
        public volatile boolean vanished;
        /** Pings that were posted, and those of them that nobody answers. */
        public final AtomicInteger pings = new AtomicInteger();
        public final AtomicInteger vainPings = new AtomicInteger();
        /** Sends posted since the peer was last woken for those before. */
        public final AtomicInteger unwoken = new AtomicInteger();
        /** Sends find no room. */
        volatile boolean full;
        /** READs are posted and do not complete, until {@link #letReadsGo}. */
        volatile boolean readsHang;
        /** Arming its receive CQ fails, as where a peer has truncated memory. */
        volatile Error armFails;
        private final List<PostSend> reads = new CopyOnWriteArrayList<>();

        /** Lets READs go on. */
        void letReadsGo() {
            readsHang = false;
            reads.forEach(PostSend::execute);
            reads.clear();
        }
    }

    /** Returns the QP that was made last. */
    public static Qp last() {
        return QPS.get(QPS.size() - 1);
    }

    /** Returns the QP that was made before that: a client's, where the last one is its server's. */
    static Qp lastButOne() {
        return QPS.get(QPS.size() - 2);
    }

    @Override
    public String scheme() {
        return "model";
    }

    @Override
    public Device open() {
        return wrap(Device.class, Devices.open("shm://model"), (device, method, arguments) -> switch (method) {
            case "longestSendNs" -> LONGEST_SEND_NS;
            case "listen" -> listener((Listener) arguments.call(
                    ((String) arguments.get(0)).replace("model://", "shm://"), arguments.get(1)));
            case "connect" -> {
                Object[] others = arguments.values().clone();
                others[0] = ((String) others[0]).replace("model://", "shm://");
                others[1] = real(others[1]);
                yield connection((Connection) arguments.call(others));
            }
            case "allocatePd" -> domain((ProtectionDomain) arguments.call());
            case "createCq" -> queue(device.createCq((CompletionQueueAttributes) arguments.get(0)));
            default -> arguments.call();
        });
    }

    private static Listener listener(Listener real) {
        return wrap(Listener.class, real, (listener, method, arguments) -> {
            Object result = arguments.call();
            return result instanceof ConnectionRequest request ? request(request) : result;
        });
    }

    private static ConnectionRequest request(ConnectionRequest real) {
        return wrap(ConnectionRequest.class, real, (request, method, arguments) -> method.equals("accept")
                ? arguments.call(real(arguments.get(0)), arguments.get(1), arguments.get(2)) : arguments.call());
    }

    /** As from a client on another host. */
    private static Connection connection(Connection real) {
        return wrap(Connection.class, real, (connection, method, arguments) -> method.equals("peerHost")
                ? InetAddress.getLoopbackAddress() : arguments.call());
    }

    private static CompletionQueue queue(CompletionQueue real) {
        return wrap(CompletionQueue.class, real, (queue, method, arguments) -> arguments.call());
    }

    private static ProtectionDomain domain(ProtectionDomain real) {
        return wrap(ProtectionDomain.class, real, (domain, method, arguments) -> {
            if (!method.equals("createQp")) {
                return arguments.call();
            }
            QueuePairAttributes asked = (QueuePairAttributes) arguments.get(0);
            Qp qp = new Qp();
            QPS.add(qp);
            ((Handler<?>) Proxy.getInvocationHandler(asked.receiveCq())).rule = armRule(qp);
            return queuePair(qp, domain.createQp(new QueuePairAttributes(
                    (CompletionQueue) real(asked.sendCq()), (CompletionQueue) real(asked.receiveCq()))
                    .depth(asked.maxSendWr(), asked.maxReceiveWr())
                    .rnr(asked.rnrRetry(), asked.minRnrTimerNs())
                    .lazyWake(asked.lazyWake())));
        });
    }

    private static Rule<Object> armRule(Qp qp) {
        return (queue, method, arguments) -> {
            if (method.equals("arm") && qp.armFails != null) {
                throw qp.armFails;
            }
            return arguments.call();
        };
    }

    private static QueuePair queuePair(Qp qp, QueuePair real) {
        return wrap(QueuePair.class, real, (pair, method, arguments) -> {
            if (method.equals("wakePeer")) {
                qp.unwoken.set(0);
            }
            Object result = arguments.call();
            if (!method.equals("prepareSend")) {
                return result;
            }
            return send(qp, ((SendRequest[]) arguments.get(0))[0].opcode(), (PostSend) result);
        });
    }

    private static PostSend send(Qp qp, SendRequest.Opcode opcode, PostSend real) {
        PostSend[] self = new PostSend[1];
        self[0] = wrap(PostSend.class, real, (call, method, arguments) -> {
            if (method.equals("push") || method.equals("read")) {
                return false; // there is a network between
            }
            if (!method.equals("execute")) {
                Object result = arguments.call();
                return result == call ? self[0] : result;
            }
            if (opcode == SendRequest.Opcode.RDMA_WRITE) {
                qp.pings.incrementAndGet();
                if (qp.vanished) {
                    qp.vainPings.incrementAndGet();
                }
            }
            if (qp.vanished) {
                return 1;
            }
            if (opcode == SendRequest.Opcode.RDMA_READ && qp.readsHang) {
                qp.reads.add(call);
                return 1;
            }
            if (qp.full) {
                return 0;
            }
            qp.unwoken.incrementAndGet();
            return arguments.call();
        });
        return self[0];
    }

    // ---- one object before another

    /** The arguments of a call, and the call itself. */
    private record Arguments(Object target, Method method, Object[] values) {

        Object get(int index) {
            return values[index];
        }

        Object call(Object... others) throws Throwable {
            try {
                return method.invoke(target, others.length == 0 ? values : others);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** What is different. */
    private interface Rule<T> {
        Object apply(T target, String method, Arguments arguments) throws Throwable;
    }

    /** Calls the object behind, by a rule. */
    private static final class Handler<T> implements InvocationHandler {
        private final T target;
        private volatile Rule<? super T> rule;

        Handler(T target, Rule<? super T> rule) {
            this.target = target;
            this.rule = rule;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return rule.apply(target, method.getName(), new Arguments(target, method, arguments));
        }
    }

    private static <T> T wrap(Class<T> type, T target, Rule<? super T> rule) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, new Handler<>(target, rule)));
    }

    private static Object real(Object wrapped) {
        return ((Handler<?>) Proxy.getInvocationHandler(wrapped)).target;
    }
}
