package org.jvrpc.codegen.model;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.codegen.model.ParameterModel.Role;

/**
 * The result of a service method.
 *
 * @param javaType as declared
 * @param future true when {@code javaType} is a {@code CompletableFuture} of what travels
 * @param type how it travels, or the elements of a stream do; null for {@code void} and {@code CompletableFuture<Void>}
 * @param role a value, or one of the streams
 */
public record ResultModel(TypeName javaType, boolean future, WireType type, Role role) {

    /** Makes one that is no stream. */
    public ResultModel(TypeName javaType, boolean future, WireType type) {
        this(javaType, future, type, Role.VALUE);
    }

    /** Returns true for a stream. */
    public boolean isStream() {
        return role.isStream();
    }

    /** Returns true when nothing comes back but that the method returned. */
    public boolean isEmpty() {
        return type == null;
    }

    /** Returns the type of the value, as a type argument. */
    public TypeName boxed() {
        return type == null || isStream() ? ClassName.get(Void.class) : type.javaType().box();
    }

    /** Returns how a callback gets the value without a box: {@code Int}, {@code Long} or {@code Double}; else null. */
    public String unboxedKind() {
        TypeName value = type == null || isStream() ? null : type.javaType();
        if (TypeName.INT.equals(value)) {
            return "Int";
        }
        if (TypeName.LONG.equals(value)) {
            return "Long";
        }
        return TypeName.DOUBLE.equals(value) ? "Double" : null;
    }

    /** Returns the result's type in the asynchronous twin. */
    public TypeName asynchronous() {
        return future ? javaType : ParameterizedTypeName.get(ClassName.get(CompletableFuture.class), boxed());
    }
}
