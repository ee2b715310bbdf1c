package org.jvrpc.codegen.roundtrip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls every method of {@link Everything} with random values, through the generated stub and skeleton. */
class RoundTripTest {

    private static final ServiceDescriptor<Everything> DESCRIPTOR =
            Generated.descriptor(Everything.class, Generic.class);
    private static final int ROUNDS = 200;
    private static final int MUTATIONS = 20_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RandomValues values = new RandomValues(random);
    private Object[] received;
    private Object answered;

    private final Skeleton skeleton = DESCRIPTOR.skeleton((Everything) Proxy.newProxyInstance(
            Everything.class.getClassLoader(), new Class<?>[] {Everything.class}, this::answer));
    private final LoopChannel channel = new LoopChannel(skeleton, new JavaObjects());

    RoundTripTest() {
        AnnotatedParameterizedType inherited =
                (AnnotatedParameterizedType) Everything.class.getAnnotatedInterfaces()[0];
        for (int i = 0; i < 2; i++) {
            values.bind(Generic.class.getTypeParameters()[i], inherited.getAnnotatedActualTypeArguments()[i]);
        }
        System.out.println("RoundTripTest seed=" + seed);
    }

    private Object answer(Object proxy, Method method, Object[] arguments) {
        received = arguments;
        answered = method.getReturnType() == void.class ? null : values.of(method.getAnnotatedReturnType());
        return answered;
    }

    private static List<Method> methods() {
        return Arrays.stream(Everything.class.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    private Object[] arguments(Method method) {
        return Arrays.stream(method.getAnnotatedParameterTypes()).map(values::of).toArray();
    }

    private void check(Method method, Object[] sent, Object returned) {
        String where = "seed=" + seed + " " + method;
        assertEquals(RandomValues.comparable(sent),
                RandomValues.comparable(received == null ? new Object[0] : received), where);
        Object expected = answered instanceof CompletableFuture<?> future ? future.join() : answered;
        Object actual = returned instanceof CompletableFuture<?> future ? future.join() : returned;
        assertEquals(RandomValues.comparable(expected), RandomValues.comparable(actual), where);
        assertEquals(0, channel.open, where);
    }

    @Test
    void whatIsSentArrivesAndWhatIsReturnedComesBack() throws ReflectiveOperationException {
        Everything stub = DESCRIPTOR.stub(channel);
        for (int round = 0; round < ROUNDS; round++) {
            for (Method method : methods()) {
                Object[] sent = arguments(method);
                check(method, sent, method.invoke(stub, sent));
            }
        }
        assertEquals(ROUNDS * methods().size(), channel.begun);
    }

    @Test
    void theAsynchronousTwinCarriesTheSame() throws ReflectiveOperationException {
        Object stub = DESCRIPTOR.asyncStub(channel);
        for (int round = 0; round < ROUNDS / 10; round++) {
            for (Method method : methods()) {
                Object[] sent = arguments(method);
                Method twin = DESCRIPTOR.asyncInterface().getMethod(method.getName(), erased(method));
                check(method, sent, twin.invoke(stub, sent));
            }
        }
    }

    @Test
    void callbacksHearTheSame() throws ReflectiveOperationException {
        Object stub = DESCRIPTOR.asyncStub(channel);
        for (int round = 0; round < ROUNDS / 10; round++) {
            for (Method method : methods()) {
                Object[] sent = arguments(method);
                Object[] all = Arrays.copyOf(sent, sent.length + 1);
                CompletableFuture<Object> heard = new CompletableFuture<>();
                Method twin = withCallback(method);
                all[sent.length] = Proxy.newProxyInstance(getClass().getClassLoader(),
                        new Class<?>[] {twin.getParameterTypes()[sent.length]}, (proxy, called, arguments) -> {
                            assertNull(arguments[1]);
                            assertTrue(heard.complete(arguments[0]), "called twice: " + method);
                            return null;
                        });
                twin.invoke(stub, all);
                check(method, sent, heard);
            }
        }
    }

    private static Method withCallback(Method method) {
        Class<?>[] parameters = erased(method);
        return Arrays.stream(DESCRIPTOR.asyncInterface().getMethods())
                .filter(twin -> twin.getName().equals(method.getName()) && twin.getReturnType() == void.class
                        && twin.getParameterCount() == parameters.length + 1
                        && Arrays.equals(parameters, Arrays.copyOf(twin.getParameterTypes(), parameters.length)))
                .findFirst().orElseThrow();
    }

    private static Class<?>[] erased(Method method) {
        return switch (method.getName()) {
            case "get" -> new Class<?>[] {String.class};
            case "all" -> new Class<?>[] {List.class, Everything.Point.class};
            default -> method.getParameterTypes();
        };
    }

    @Test
    void defaultMethodsStayLocal() {
        assertEquals("local x", DESCRIPTOR.stub(channel).describe("x"));
        assertEquals(0, channel.begun);
    }

    @Test
    void methodsAreSortedBySignatureAndKnowTheirIndex() {
        List<MethodDescriptor> methods = DESCRIPTOR.methods();
        assertEquals(methods().size(), methods.size());
        for (int i = 0; i < methods.size(); i++) {
            assertEquals(i, methods.get(i).index());
            assertTrue(i == 0 || methods.get(i - 1).signature().compareTo(methods.get(i).signature()) < 0);
        }
        assertEquals(methods.size(), methods.stream().mapToLong(MethodDescriptor::fingerprint).distinct().count());
    }

    /** Keeps Java serialization away from wrong bytes, on which it fails in ways of its own. */
    private static final class RefusingObjects implements ObjectCodec {
        @Override
        public void write(WireWriter out, Object graph) {
            throw new AssertionError("the handler writes by another codec");
        }

        @Override
        public Object read(WireReader in) {
            throw new RpcException(Status.INTERNAL, "not tried");
        }
    }

    @Test
    void mutatedRequestsEndInAnAnswerOrAnRpcException() throws ReflectiveOperationException {
        Everything stub = DESCRIPTOR.stub(channel);
        List<Method> fixed = methods().stream()
                .filter(method -> !method.getName().equals("shapes") && !method.getName().equals("graphs"))
                .toList();
        for (int i = 0; i < MUTATIONS; i++) {
            Method method = fixed.get(random.nextInt(fixed.size()));
            try {
                method.invoke(stub, arguments(method));
            } catch (InvocationTargetException e) {
                throw new AssertionError("seed=" + seed, e);
            }
            dispatchMutated(channel.lastRequest);
        }
    }

    private void dispatchMutated(byte[] request) {
        byte[] mutated = Arrays.copyOf(request, Math.max(0, request.length + random.nextInt(9) - 4));
        for (int k = random.nextInt(4); k > 0 && mutated.length > 0; k--) {
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
        }
        MethodDescriptor method = DESCRIPTOR.methods().get(random.nextInt(DESCRIPTOR.methods().size()));
        LoopChannel.LoopServerCall call = new LoopChannel.LoopServerCall(method,
                LoopChannel.reader(mutated, new RefusingObjects()), new JavaObjects());
        call.run(skeleton);
        try {
            call.throwFailure();
        } catch (RpcException e) {
            assertNull(e.getCause(), () -> "seed=" + seed + " " + method.name() + ": " + e.getCause());
        }
    }
}
