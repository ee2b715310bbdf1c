package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.Offload;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodShape;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ParameterModel.Role;
import org.jvrpc.codegen.model.ResultModel;
import org.jvrpc.codegen.model.WireType;

/** Reads one method of a service. Goes on after an error, so that one compilation shows them all. */
final class MethodParser {

    private static final TypeName BYTE_BUFFER = ClassName.get(java.nio.ByteBuffer.class);

    private final TypeParser types;
    private final ExceptionParser exceptions;
    private final StreamParser streams;
    private final Problems problems;

    MethodParser(Scope scope, TypeParser types, Problems problems) {
        this.types = types;
        this.exceptions = new ExceptionParser(scope, types);
        this.streams = new StreamParser(types);
        this.problems = problems;
    }

    /**
     * Reads a method.
     *
     * @param applied its type as a member of the service, type arguments applied
     * @return null when a part of it was refused
     */
    MethodShape parse(ExecutableElement method, ExecutableType applied) {
        String name = method.getSimpleName().toString();
        if (!method.getTypeParameters().isEmpty()) {
            problems.report(method, Problem.METHOD_GENERIC, name);
            return null;
        }
        MethodShape.Settings settings = settings(method);
        ResultModel result = result(method, applied.getReturnType());
        List<ParameterModel> parameters = parameters(method, applied);
        List<ExceptionShape> thrown = exceptions(method, applied);
        if (result == null || parameters.contains(null) || thrown.contains(null)) {
            return null;
        }
        MethodShape shape = new MethodShape(name, parameters, result, thrown, settings);
        new MethodChecks(problems, method, shape).run();
        return shape;
    }

    private MethodShape.Settings settings(ExecutableElement method) {
        AnnotationMirror annotation = Annotations.find(method, RpcMethod.class);
        AnnotationValue heavy = Annotations.value(annotation, "heavy");
        AnnotationValue deadline = Annotations.value(annotation, "deadline");
        long deadlineNs = 0;
        if (deadline != null) {
            String text = (String) deadline.getValue();
            deadlineNs = Deadline.parse(text);
            if (deadlineNs < 0) {
                problems.report(method, annotation, deadline, Problem.DEADLINE.text(text));
            }
        }
        return new MethodShape.Settings(isTrue(heavy), Annotations.has(method, OneWay.class), method.isVarArgs(),
                deadlineNs, Annotations.has(method, Offload.class),
                isTrue(Annotations.value(annotation, "idempotent")));
    }

    private static boolean isTrue(AnnotationValue value) {
        return value != null && (boolean) value.getValue();
    }

    private ResultModel result(ExecutableElement method, TypeMirror type) {
        if (type.getKind() == TypeKind.VOID) {
            return new ResultModel(TypeName.VOID, false, null);
        }
        boolean nullable = Annotations.nullable(method, method.getReturnType());
        try {
            if (type instanceof DeclaredType declared && isFuture(declared)) {
                return future(declared, nullable);
            }
            if (type instanceof DeclaredType declared && StreamParser.isStream(declared)) {
                return new ResultModel(Names.of(type), false, streams.element(declared, nullable),
                        streams.role(declared, false));
            }
            return new ResultModel(Names.of(type), false, types.parseTop(type, nullable));
        } catch (UnsupportedTypeException refused) {
            problems.report(method, refused.via("result of " + method.getSimpleName()).getMessage());
            return null;
        }
    }

    private static boolean isFuture(DeclaredType type) {
        return Scope.name(type).equals("java.util.concurrent.CompletableFuture");
    }

    private ResultModel future(DeclaredType type, boolean nullable) throws UnsupportedTypeException {
        if (type.getTypeArguments().size() != 1 || type.getTypeArguments().get(0).getKind() == TypeKind.WILDCARD) {
            throw new UnsupportedTypeException(Problem.FUTURE_ARGUMENT, type);
        }
        TypeMirror value = type.getTypeArguments().get(0);
        boolean empty = value instanceof DeclaredType declared && Scope.name(declared).equals("java.lang.Void");
        return new ResultModel(Names.of(type), true, empty ? null : types.parseTop(value, nullable));
    }

    private List<ParameterModel> parameters(ExecutableElement method, ExecutableType applied) {
        List<ParameterModel> parameters = new ArrayList<>();
        for (int i = 0; i < method.getParameters().size(); i++) {
            parameters.add(parameter(method.getParameters().get(i), applied.getParameterTypes().get(i)));
        }
        return parameters;
    }

    private ParameterModel parameter(VariableElement parameter, TypeMirror type) {
        String name = parameter.getSimpleName().toString();
        boolean into = Annotations.has(parameter, Into.class);
        boolean inPlace = Annotations.has(parameter, InPlace.class);
        if (!into && type instanceof DeclaredType declared && StreamParser.isStream(declared)) {
            return stream(parameter, declared, inPlace);
        }
        if ((into || inPlace) && type.getKind() != TypeKind.ERROR && !Names.of(type).equals(BYTE_BUFFER)) {
            problems.report(parameter, into ? Problem.INTO_TYPE : Problem.IN_PLACE_TYPE, name, Names.of(type));
            return null;
        }
        boolean nullable = Annotations.nullable(parameter, parameter.asType());
        try {
            WireType wire = types.parseTop(type, nullable);
            if ((into || inPlace) && wire instanceof WireType.Nullable) {
                problems.report(parameter, into ? Problem.INTO_NULLABLE : Problem.IN_PLACE_NULLABLE, name);
                return null;
            }
            Role role = into ? Role.INTO : inPlace ? Role.IN_PLACE : Role.VALUE;
            return new ParameterModel(name, Names.of(type), wire, role);
        } catch (UnsupportedTypeException refused) {
            problems.report(parameter, refused.via("parameter " + name).getMessage());
            return null;
        }
    }

    private ParameterModel stream(VariableElement parameter, DeclaredType type, boolean inPlace) {
        String name = parameter.getSimpleName().toString();
        try {
            WireType element = streams.element(type, Annotations.nullable(parameter, parameter.asType()));
            return new ParameterModel(name, Names.of(type), element, streams.role(type, inPlace));
        } catch (UnsupportedTypeException refused) {
            problems.report(parameter, refused.via("parameter " + name).getMessage());
            return null;
        }
    }

    private List<ExceptionShape> exceptions(ExecutableElement method, ExecutableType applied) {
        List<ExceptionShape> thrown = new ArrayList<>();
        for (TypeMirror type : applied.getThrownTypes()) {
            if (type.getKind() == TypeKind.ERROR) {
                throw new UnresolvedTypeException(type);
            }
            if (!Names.of(type).toString().equals("org.jvrpc.api.RpcException")) {
                thrown.add(exception(method, (DeclaredType) type));
            }
        }
        return thrown;
    }

    private ExceptionShape exception(ExecutableElement method, DeclaredType type) {
        try {
            return exceptions.parse(type);
        } catch (UnsupportedTypeException refused) {
            problems.report(method, refused.getMessage());
            return null;
        }
    }
}
