package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.nio.ByteBuffer;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jvrpc.api.InPlace;
import org.jvrpc.codegen.model.ParameterModel.Role;
import org.jvrpc.codegen.model.WireType;

/** Reads the type of a stream. */
final class StreamParser {

    private static final TypeName BYTE_BUFFER = ClassName.get(ByteBuffer.class);

    private final TypeParser types;

    StreamParser(TypeParser types) {
        this.types = types;
    }

    /** Returns true for {@code Flow.Publisher} itself. */
    static boolean isStream(TypeMirror type) {
        return type instanceof DeclaredType declared && type.getKind() == TypeKind.DECLARED
                && Scope.name(declared).equals("java.util.concurrent.Flow.Publisher");
    }

    /** Finds how the elements travel: boxed primitives without a box, as none is null. */
    WireType element(DeclaredType stream, boolean nullable) throws UnsupportedTypeException {
        if (nullable) {
            throw new UnsupportedTypeException(Problem.STREAM_NULLABLE, stream);
        }
        if (stream.getTypeArguments().size() != 1 || stream.getTypeArguments().get(0).getKind() == TypeKind.WILDCARD) {
            throw new UnsupportedTypeException(Problem.STREAM_ELEMENT, stream);
        }
        TypeMirror element = stream.getTypeArguments().get(0);
        if (Annotations.nullable(element)) {
            throw new UnsupportedTypeException(Problem.STREAM_NULLABLE, Names.of(element));
        }
        if (isStream(element)) {
            throw new UnsupportedTypeException(Problem.STREAM_OF_STREAM, Names.of(stream));
        }
        WireType parsed = types.parseTop(element, false);
        return parsed instanceof WireType.Nullable box ? box.value() : parsed;
    }

    /** @param inPlace true where the parameter itself is marked */
    Role role(DeclaredType stream, boolean inPlace) throws UnsupportedTypeException {
        TypeMirror element = stream.getTypeArguments().get(0);
        if (!inPlace && !Annotations.has(element, InPlace.class)) {
            return Role.STREAM;
        }
        if (!Names.of(element).equals(BYTE_BUFFER)) {
            throw new UnsupportedTypeException(Problem.IN_PLACE_TYPE, "of elements", Names.of(element));
        }
        return Role.STREAM_IN_PLACE;
    }
}
