package org.jvrpc.testkit.script;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Which calls are meant. Immutable. */
final class CallPattern {

    private final SeenCall example;
    private final List<Predicate<Object>> conditions;
    private final Predicate<List<Object>> all;

    private CallPattern(SeenCall example, List<Predicate<Object>> conditions, Predicate<List<Object>> all) {
        this.example = example;
        this.conditions = conditions;
        this.all = all;
    }

    /** Reads a call as a test wrote it. @throws IllegalArgumentException when it is none, or half by conditions */
    static <T> CallPattern of(Class<T> service, ScriptedCall<T> call) {
        SeenCall[] noted = new SeenCall[1];
        Args.take();
        try {
            call.on(service.cast(Proxy.newProxyInstance(service.getClassLoader(), new Class<?>[] {service},
                    noting(noted))));
        } catch (Exception e) {
            throw new IllegalArgumentException("a scripted call of " + service.getName() + " failed: " + e, e);
        }
        List<Predicate<Object>> conditions = Args.take();
        if (noted[0] == null) {
            throw new IllegalArgumentException("no method of " + service.getName() + " was called");
        }
        if (!conditions.isEmpty() && conditions.size() != noted[0].arguments().size()) {
            throw new IllegalArgumentException("of " + noted[0] + " all arguments are given by Args, or none is: given="
                    + conditions.size());
        }
        return new CallPattern(noted[0], conditions, null);
    }

    private static InvocationHandler noting(SeenCall[] noted) {
        return (proxy, method, arguments) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (method.getDeclaringClass() == Object.class) {
                throw new IllegalArgumentException(method.getName() + " is no method of a service");
            }
            if (noted[0] != null) {
                throw new IllegalArgumentException("one call at a time: " + noted[0] + ", then " + method.getName());
            }
            noted[0] = SeenCall.of(method, arguments);
            return nothing(method.getReturnType());
        };
    }

    private static Object nothing(Class<?> type) {
        return type == void.class || !type.isPrimitive() ? null
                : java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0);
    }

    /** Returns the same method with a condition on all its arguments. */
    CallPattern matching(Predicate<List<Object>> condition) {
        return new CallPattern(example, conditions, Objects.requireNonNull(condition, "condition"));
    }

    Method method() {
        return example.method();
    }

    boolean matches(SeenCall call) {
        if (!call.method().equals(example.method())) {
            return false;
        }
        if (all != null) {
            return all.test(call.arguments());
        }
        for (int i = 0; i < call.arguments().size(); i++) {
            Object actual = call.arguments().get(i);
            if (conditions.isEmpty() ? !Objects.deepEquals(example.arguments().get(i), actual)
                    : !conditions.get(i).test(actual)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return conditions.isEmpty() && all == null ? example.toString()
                : example.method().getName() + "(" + "by conditions" + ")";
    }
}
