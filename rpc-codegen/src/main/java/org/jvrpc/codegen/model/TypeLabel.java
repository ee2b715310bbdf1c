package org.jvrpc.codegen.model;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.WildcardTypeName;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jvrpc.codegen.model.WireType.Basic;

/** A type as part of a Java name: {@code List<Leg>} is {@code ListOfLeg}, {@code Order[]} is {@code OrderArray}. */
public final class TypeLabel {

    private TypeLabel() {
    }

    /** Returns the label of a wire type; a boxed or nullable one begins with {@code Nullable}. */
    public static String of(WireType type) {
        if (type instanceof WireType.Nullable nullable) {
            return "Nullable" + of(nullable.value());
        }
        if (type instanceof WireType.Optional optional) {
            return of(optional.javaType());
        }
        if (type instanceof WireType.Sequence sequence) {
            return outer(sequence.javaType()) + "Of" + any(sequence.javaType()) + of(sequence.element());
        }
        if (type instanceof WireType.MapType map) {
            return "Map" + "Of" + any(map.javaType()) + of(map.key()) + "To" + of(map.value());
        }
        if (type instanceof WireType.ArrayType array) {
            return of(array.element()) + "Array";
        }
        return type instanceof Basic basic && basic.javaType().isPrimitive() ? basic.accessor() : of(type.javaType());
    }

    private static String outer(TypeName type) {
        return ((ParameterizedTypeName) type).rawType().simpleName();
    }

    private static String any(TypeName type) {
        boolean wildcard = ((ParameterizedTypeName) type).typeArguments().stream()
                .anyMatch(WildcardTypeName.class::isInstance);
        return wildcard ? "Any" : "";
    }

    private static String of(TypeName type) {
        if (type instanceof ClassName name) {
            return name.simpleName();
        }
        if (type instanceof ArrayTypeName array) {
            return of(array.componentType()) + "Array";
        }
        if (type instanceof ParameterizedTypeName generic) {
            return generic.rawType().simpleName()
                    + generic.typeArguments().stream().map(TypeLabel::of).collect(Collectors.joining("And", "Of", ""));
        }
        if (type instanceof WildcardTypeName wildcard) {
            return "Any" + of(wildcard.upperBounds().get(0));
        }
        String name = type.toString();
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
