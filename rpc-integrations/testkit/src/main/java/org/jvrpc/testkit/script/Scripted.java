package org.jvrpc.testkit.script;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Predicate;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.Streams;

/**
 * What some calls are answered: what is said here in order, one a call, and the last for all that follow. With
 * {@link #times} at the end, calls beyond are as if nothing had been said. Any thread.
 */
public final class Scripted {

    /** What a call is answered, by its arguments. */
    @FunctionalInterface
    public interface Answer {

        /** Returns the result. @throws Exception what the handler is to throw */
        Object to(List<Object> arguments) throws Exception;
    }

    private static final class Step {
        private final Answer answer;
        /** How often it is given; -1 until something follows. */
        private int left = -1;

        Step(Answer answer) {
            this.answer = answer;
        }
    }

    private final Method method;
    private CallPattern pattern;
    private final List<Step> steps = new ArrayList<>();

    Scripted(CallPattern pattern) {
        this.pattern = pattern;
        this.method = pattern.method();
    }

    /** Means calls whose arguments are as a condition says, instead of those that were written. */
    public synchronized Scripted matching(Predicate<List<Object>> condition) {
        pattern = pattern.matching(condition);
        return this;
    }

    /**
     * Answers with a result, of an asynchronous method with the value or a stage; of one without result with null.
     *
     * @throws IllegalArgumentException when the method cannot return it
     */
    public Scripted answer(Object result) {
        check(result);
        return answerWith(arguments -> result);
    }

    /** Answers with what a function makes of the arguments. */
    public synchronized Scripted answerWith(Answer answer) {
        Objects.requireNonNull(answer, "answer");
        if (!steps.isEmpty() && steps.get(steps.size() - 1).left < 0) {
            steps.get(steps.size() - 1).left = 1;
        }
        steps.add(new Step(answer));
        return this;
    }

    /** Answers with a stream of these elements. @throws IllegalArgumentException when the result is no stream */
    public Scripted answerStream(Object... elements) {
        return answerStream(null, elements);
    }

    /** Answers with a stream of these elements that ends with a failure, null for none. */
    public Scripted answerStream(Exception end, Object... elements) {
        if (method.getReturnType() != Flow.Publisher.class) {
            throw new IllegalArgumentException("the result of " + method.getName() + " is no stream, but "
                    + method.getReturnType().getName());
        }
        Arrays.stream(elements).forEach(this::checkElement);
        return answerWith(arguments -> Streams.<Object>writing(writer -> {
            for (Object element : elements) {
                writer.write(element);
            }
            if (end != null) {
                throw end;
            }
        }));
    }

    /** Fails with a status. */
    public Scripted fail(Status status, String message) {
        return fail(new RpcException(status, message));
    }

    /** Fails with an exception, a declared one for instance. */
    public Scripted fail(Exception thrown) {
        Objects.requireNonNull(thrown, "thrown");
        return answerWith(arguments -> {
            thrown.fillInStackTrace();
            throw thrown;
        });
    }

    /** Has what was said last given so often, and no more. @param count 1 or more */
    public synchronized Scripted times(int count) {
        if (steps.isEmpty() || count < 1) {
            throw new IllegalArgumentException("what is to be given so often stands before times, count=" + count);
        }
        steps.get(steps.size() - 1).left = count;
        return this;
    }

    /** Returns what a call is answered next; null where it is not meant, or nothing is left. */
    synchronized Answer next(SeenCall call) {
        if (!pattern.matches(call)) {
            return null;
        }
        for (Step step : steps) {
            if (step.left != 0) {
                step.left -= step.left > 0 ? 1 : 0;
                return step.answer;
            }
        }
        return null;
    }

    /** Returns the result as the method has it: asynchronous ones in a stage. */
    Object result(Answer answer, SeenCall call) throws Exception {
        if (!CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            return answer.to(call.arguments());
        }
        try {
            Object result = answer.to(call.arguments());
            return result instanceof CompletionStage ? result : CompletableFuture.completedFuture(result);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void check(Object result) {
        Class<?> type = method.getReturnType();
        boolean stage = CompletionStage.class.isAssignableFrom(type) && !(result instanceof CompletionStage);
        Class<?> wanted = stage ? element(method.getGenericReturnType())
                : MethodType.methodType(type).wrap().returnType();
        boolean fits = result == null ? !wanted.isPrimitive() && (stage || !type.isPrimitive() || type == void.class)
                : wanted.isInstance(result);
        if (!fits) {
            throw misfit(wanted, result);
        }
    }

    private void checkElement(Object element) {
        Class<?> wanted = element(method.getGenericReturnType());
        if (!wanted.isInstance(element)) {
            throw misfit(wanted, element);
        }
    }

    private IllegalArgumentException misfit(Class<?> wanted, Object given) {
        return new IllegalArgumentException(method.getName() + " answers with " + wanted.getName() + ", not with "
                + (given == null ? "null" : given.getClass().getName() + " " + given));
    }

    private static Class<?> element(Type type) {
        Type element = type instanceof ParameterizedType parameters ? parameters.getActualTypeArguments()[0] : type;
        return element instanceof Class<?> known ? known
                : element instanceof ParameterizedType parameters ? (Class<?>) parameters.getRawType() : Object.class;
    }

    @Override
    public synchronized String toString() {
        return pattern.toString();
    }
}
