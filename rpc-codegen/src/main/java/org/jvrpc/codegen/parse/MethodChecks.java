package org.jvrpc.codegen.parse;

import java.util.List;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import org.jvrpc.api.Offload;
import org.jvrpc.codegen.model.MethodShape;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ParameterModel.Role;

/** The rules on how the parts of one method go together. */
final class MethodChecks {

    private final Problems problems;
    private final ExecutableElement method;
    private final MethodShape shape;

    MethodChecks(Problems problems, ExecutableElement method, MethodShape shape) {
        this.problems = problems;
        this.method = method;
        this.shape = shape;
    }

    void run() {
        if (shape.stream() != null || shape.result().isStream()) {
            checkStream();
            return;
        }
        checkCall();
    }

    private void checkStream() {
        if (shape.settings().oneWay()) {
            problems.report(method, Problem.STREAM_ONE_WAY, shape.name());
        }
        if (shape.settings().offload()) {
            problems.report(method, Annotations.find(method, Offload.class), Problem.STREAM_OFFLOAD, shape.name());
        }
        boolean seen = false;
        for (int i = 0; i < shape.parameters().size(); i++) {
            VariableElement element = method.getParameters().get(i);
            ParameterModel parameter = shape.parameters().get(i);
            if (parameter.isInto()) {
                problems.report(element, Problem.STREAM_INTO, element, shape.name());
            } else if (parameter.role() == Role.IN_PLACE) {
                checkInPlace(element);
            } else if (parameter.isStream() && seen) {
                problems.report(element, Problem.STREAM_TWICE, shape.name());
            }
            seen |= parameter.isStream();
        }
    }

    private void checkCall() {
        if (shape.settings().oneWay()) {
            checkOneWay();
        }
        if (shape.settings().offload()) {
            checkOffload(Annotations.find(method, Offload.class));
        }
        List<ParameterModel> parameters = shape.parameters();
        boolean intoSeen = false;
        for (int i = 0; i < parameters.size(); i++) {
            VariableElement element = method.getParameters().get(i);
            if (parameters.get(i).isInto()) {
                checkInto(element, intoSeen);
                intoSeen = true;
            } else if (parameters.get(i).role() == Role.IN_PLACE) {
                checkInPlace(element);
            }
        }
    }

    private void checkOneWay() {
        if (!shape.result().javaType().toString().equals("void")) {
            problems.report(method, Problem.ONE_WAY_RESULT, shape.name(), method.getReturnType());
        }
        if (!shape.thrown().isEmpty()) {
            problems.report(method, Problem.ONE_WAY_THROWS, shape.name());
        }
    }

    private void checkOffload(AnnotationMirror offload) {
        if (shape.settings().oneWay()) {
            problems.report(method, offload, Problem.OFFLOAD_ONE_WAY, shape.name());
        } else if (shape.result().future()) {
            problems.report(method, offload, Problem.OFFLOAD_FUTURE, shape.name(), method.getReturnType());
        } else if (shape.into() != null) {
            problems.report(method, offload, Problem.OFFLOAD_INTO, shape.name(), shape.into().name());
        } else if (shape.result().isEmpty()) {
            problems.report(method, offload, Problem.OFFLOAD_VOID, shape.name());
        }
        if (shape.settings().heavy()) {
            problems.report(method, offload, Problem.OFFLOAD_HEAVY, shape.name());
        }
    }

    private void checkInto(VariableElement parameter, boolean second) {
        if (second) {
            problems.report(parameter, Problem.INTO_TWICE, shape.name());
        } else if (shape.settings().oneWay() || shape.result().future()) {
            problems.report(parameter, Problem.INTO_WITHOUT_ANSWER, parameter, shape.name());
        } else if (!shape.result().isEmpty() && !shape.result().javaType().isPrimitive()) {
            problems.report(parameter, Problem.INTO_RESULT, parameter, shape.name(), method.getReturnType());
        }
    }

    private void checkInPlace(VariableElement parameter) {
        boolean later = shape.stream() != null || shape.result().isStream();
        if (later || shape.settings().heavy() || shape.result().future()) {
            problems.report(parameter, Problem.IN_PLACE_LATER, parameter, shape.name());
        }
    }
}
