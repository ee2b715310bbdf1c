package org.jvrpc.codegen.model;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jvrpc.codegen.model.WireType.Basic;
import org.jvrpc.codegen.model.WireType.Home;

/** The table of all {@link Basic} types. */
public final class BasicTypes {

    private static final Map<TypeName, Basic> TABLE = new LinkedHashMap<>();

    static {
        primitive(TypeName.BOOLEAN, "Boolean", 1);
        primitive(TypeName.BYTE, "Byte", 1);
        primitive(TypeName.SHORT, "Short", 2);
        primitive(TypeName.CHAR, "Char", 2);
        primitive(TypeName.INT, "Int", 4);
        primitive(TypeName.LONG, "Long", 8);
        primitive(TypeName.FLOAT, "Float", 4);
        primitive(TypeName.DOUBLE, "Double", 8);
        reference(String.class, "String", 4, Home.WIRE);
        reference(ByteBuffer.class, "Buffer", 4, Home.WIRE);
        reference(Duration.class, "Duration", 12, Home.VALUES);
        reference(Instant.class, "Instant", 12, Home.VALUES);
        reference(UUID.class, "Uuid", 16, Home.VALUES);
        reference(BigInteger.class, "BigInteger", 5, Home.VALUES);
        reference(BigDecimal.class, "BigDecimal", 9, Home.VALUES);
    }

    private BasicTypes() {
    }

    private static void primitive(TypeName type, String accessor, int bytes) {
        put(new Basic(type, type.toString(), accessor, bytes, Home.WIRE));
        put(new Basic(ArrayTypeName.of(type), type + "[]", accessor + "s", 4, Home.WIRE));
    }

    private static void reference(Class<?> type, String accessor, int minBytes, Home home) {
        put(new Basic(ClassName.get(type), type.getSimpleName(), accessor, minBytes, home));
    }

    private static void put(Basic type) {
        TABLE.put(type.javaType(), type);
    }

    /** Returns the basic type of a Java type, or null. */
    public static Basic find(TypeName type) {
        return TABLE.get(type);
    }
}
