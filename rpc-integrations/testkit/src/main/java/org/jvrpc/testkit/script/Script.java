package org.jvrpc.testkit.script;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * What a service answers in a test, and what it was asked. The last rule that means a call answers it; where none does,
 * the implementation behind it, and where there is none the call is unexpected: its caller gets FAILED_PRECONDITION,
 * and the test fails. Rules may be made at any time, also while calls come. Many threads.
 *
 * @param <T> the service
 */
public final class Script<T> {

    private static final long LOOK_NS = 100_000_000;

    private final Class<T> service;
    private final T behind;
    private final List<Scripted> rules = new ArrayList<>();
    private final List<SeenCall> calls = new ArrayList<>();
    private final List<SeenCall> unexpected = new ArrayList<>();

    /** @param behind answers what no rule means; null for nobody */
    public Script(Class<T> service, T behind) {
        this.service = service;
        this.behind = behind;
    }

    /** Begins a rule for a call: {@code script.when(o -> o.find(7)).answer(order)}. */
    public Scripted when(ScriptedCall<T> call) {
        Scripted rule = new Scripted(CallPattern.of(service, call));
        synchronized (this) {
            rules.add(0, rule);
        }
        return rule;
    }

    /** Returns what a server is given as its implementation. */
    public T implementation() {
        return service.cast(Proxy.newProxyInstance(service.getClassLoader(), new Class<?>[] {service}, this::handle));
    }

    private Object handle(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "script of " + service.getName();
            };
        }
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        SeenCall call = SeenCall.of(method, kept(arguments));
        Scripted[] rule = new Scripted[1];
        Scripted.Answer answer = find(call, rule);
        if (answer != null) {
            return rule[0].result(answer, SeenCall.of(method, arguments));
        }
        if (behind == null) {
            throw refuse(call);
        }
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Buffers are the handler's only until it returns. */
    private static Object[] kept(Object[] arguments) {
        Object[] kept = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i] instanceof ByteBuffer buffer && buffer.isReadOnly()) {
                kept[i] = ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
            }
        }
        return kept;
    }

    private synchronized Scripted.Answer find(SeenCall call, Scripted[] found) {
        calls.add(call);
        notifyAll();
        for (Scripted rule : rules) {
            Scripted.Answer answer = rule.next(call);
            if (answer != null) {
                found[0] = rule;
                return answer;
            }
        }
        return null;
    }

    private synchronized RpcException refuse(SeenCall call) {
        unexpected.add(call);
        return new RpcException(Status.FAILED_PRECONDITION, "the test expects no call " + call + " of "
                + service.getName() + (rules.isEmpty() ? ": it scripted nothing" : ": it scripted " + rules));
    }

    /** Returns the calls that came, in order. */
    public synchronized List<SeenCall> calls() {
        return List.copyOf(calls);
    }

    /** Returns how many such calls came. */
    public int count(ScriptedCall<T> call) {
        return count(CallPattern.of(service, call));
    }

    private synchronized int count(CallPattern pattern) {
        return (int) calls.stream().filter(pattern::matches).count();
    }

    /** Expects that so many such calls came. @throws AssertionError when others did: it says what came */
    public void verify(int times, ScriptedCall<T> call) {
        CallPattern pattern = CallPattern.of(service, call);
        int came = count(pattern);
        if (came != times) {
            throw new AssertionError("calls " + pattern + " of " + service.getName() + ": expected=" + times + " came="
                    + came + "; all that came: " + calls());
        }
    }

    /**
     * Waits until so many such calls came, one-way ones for instance.
     *
     * @throws AssertionError when they do not within the limit
     */
    public void await(int times, ScriptedCall<T> call, Duration limit) throws InterruptedException {
        CallPattern pattern = CallPattern.of(service, call);
        long startNs = System.nanoTime();
        synchronized (this) {
            while (count(pattern) < times && System.nanoTime() - startNs < limit.toNanos()) {
                wait(LOOK_NS / 1_000_000);
            }
        }
        if (count(pattern) < times) {
            throw new AssertionError("waited " + limit + " for calls " + pattern + " of " + service.getName()
                    + ": expected=" + times + " came=" + count(pattern) + "; all that came: " + calls());
        }
    }

    /** Returns the calls that no rule meant and nobody answered. */
    public synchronized List<SeenCall> unexpected() {
        return List.copyOf(unexpected);
    }

    /** Forgets rules and calls: a test is over. */
    public synchronized void reset() {
        rules.clear();
        calls.clear();
        unexpected.clear();
    }

    /** Returns the service's interface. */
    public Class<T> service() {
        return service;
    }
}
