package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Locale;

/**
 * A service method with its place in the service.
 *
 * @param shape the method as declared
 * @param index position among the methods sorted by signature
 * @param handle a Java name of its own; the method's name unless that is overloaded
 * @param signature its canonical text, one element for the method and one for each layout that it reaches
 * @param fingerprint hash of the signature
 */
public record MethodModel(MethodShape shape, int index, String handle, List<String> signature, long fingerprint) {

    public MethodModel {
        signature = List.copyOf(signature);
    }

    /** Returns the handle as the name of a constant: {@code placeLater} becomes {@code PLACE_LATER}. */
    public String constant() {
        return handle.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    public String name() {
        return shape.name();
    }

    public List<ParameterModel> parameters() {
        return shape.parameters();
    }

    public ResultModel result() {
        return shape.result();
    }

    public List<ExceptionShape> thrown() {
        return shape.thrown();
    }

    public boolean oneWay() {
        return shape.settings().oneWay();
    }

    /** Returns true when the asynchronous twin has the method. */
    public boolean hasTwin() {
        return shape.into() == null && !result().isStream();
    }

    /** Returns true when an argument or the result is a stream. */
    public boolean hasStream() {
        return shape.stream() != null || result().isStream();
    }

    /**
     * Returns true when the server runs it on its executor: also where its handler waits for a stream, which the poller
     * brings.
     */
    public boolean heavy() {
        return shape.settings().heavy() || shape.stream() != null && !result().future() && !result().isStream();
    }

    /** Returns the number of a declared exception, from 1. */
    public int numberOf(ExceptionShape exception) {
        return thrown().indexOf(exception) + 1;
    }

    /** Returns the result as the asynchronous twin spells it. */
    public TypeName twinResult() {
        return oneWay() ? TypeName.VOID : result().asynchronous();
    }
}
