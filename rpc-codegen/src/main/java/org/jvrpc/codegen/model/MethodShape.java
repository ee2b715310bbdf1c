package org.jvrpc.codegen.model;

import java.util.List;

/**
 * A service method as declared.
 *
 * @param name its Java name
 * @param parameters in order
 * @param result what it returns
 * @param thrown declared exceptions in declaration order; the first has number 1
 * @param settings what its annotations say
 */
public record MethodShape(
        String name,
        List<ParameterModel> parameters,
        ResultModel result,
        List<ExceptionShape> thrown,
        Settings settings) {

    public MethodShape {
        parameters = List.copyOf(parameters);
        thrown = List.copyOf(thrown);
    }

    /**
     * What the annotations of a method say.
     *
     * @param deadlineNs deadline in nanoseconds, 0 for the client's default
     * @param offload true when a program may answer it
     * @param idempotent true when a call may be made again that may have run
     */
    public record Settings(
            boolean heavy, boolean oneWay, boolean varargs, long deadlineNs, boolean offload, boolean idempotent) {
    }

    /** Returns the parameter that is a stream, or null. */
    public ParameterModel stream() {
        return parameters.stream().filter(ParameterModel::isStream).findFirst().orElse(null);
    }

    /** Returns the parameter that carries bytes back, or null. */
    public ParameterModel into() {
        return parameters.stream().filter(ParameterModel::isInto).findFirst().orElse(null);
    }
}
