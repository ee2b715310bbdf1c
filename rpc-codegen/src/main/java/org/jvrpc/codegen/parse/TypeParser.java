package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import org.jvrpc.api.UnknownConstant;
import org.jvrpc.codegen.model.BasicTypes;
import org.jvrpc.codegen.model.RecordShape;
import org.jvrpc.codegen.model.Recursion;
import org.jvrpc.codegen.model.Shapes;
import org.jvrpc.codegen.model.WireType;
import org.jvrpc.codegen.model.WireType.SequenceKind;

/** Finds how a type travels, and gathers the records and object classes that it leads to. For one service. */
final class TypeParser {

    private static final Map<String, SequenceKind> SEQUENCES = Map.of(
            "java.util.List", SequenceKind.LIST,
            "java.util.Set", SequenceKind.SET,
            "java.util.Collection", SequenceKind.COLLECTION);

    private static final Map<String, WireType> OPTIONAL_PRIMITIVES = Map.of(
            "java.util.OptionalInt", optional(OptionalInt.class, "getAsInt", TypeName.INT),
            "java.util.OptionalLong", optional(OptionalLong.class, "getAsLong", TypeName.LONG),
            "java.util.OptionalDouble", optional(OptionalDouble.class, "getAsDouble", TypeName.DOUBLE));

    private final Scope scope;
    private final RecordParser records;
    private final ObjectGraph objects;
    private boolean usesDeprecated;

    TypeParser(Scope scope, ObjectGraph objects) {
        this.scope = scope;
        this.records = new RecordParser(scope, this);
        this.objects = objects;
    }

    private static WireType optional(Class<?> type, String getter, TypeName primitive) {
        ClassName name = ClassName.get(type);
        return new WireType.Optional(name, name, getter, BasicTypes.find(primitive));
    }

    /** Notes that the generated code will use an element. */
    void use(Element element) {
        usesDeprecated |= scope.elements().isDeprecated(element);
    }

    /** Returns true when the generated code would be warned of something deprecated. */
    boolean usesDeprecated() {
        return usesDeprecated;
    }

    Shapes shapes() {
        return new Shapes(records.shapes(), objects.shapes());
    }

    /**
     * Finds how the type of a parameter, result or component travels.
     *
     * @param nullable true when the element that has the type is marked so
     */
    WireType parseTop(TypeMirror type, boolean nullable) throws UnsupportedTypeException {
        WireType parsed = parse(type, nullable);
        SortedMap<String, RecordShape> known = records.shapes();
        for (RecordShape shape : known.values()) {
            if (new Recursion(known).isEndless(shape)) {
                throw new UnsupportedTypeException(Problem.ENDLESS_RECORD, shape.label());
            }
        }
        return parsed;
    }

    WireType parse(TypeMirror type, boolean markedNullable) throws UnsupportedTypeException {
        boolean nullable = markedNullable || Annotations.nullable(type);
        if (type.getKind().isPrimitive()) {
            if (markedNullable) {
                throw new UnsupportedTypeException(Problem.NULLABLE_PRIMITIVE, TypeName.get(type));
            }
            return BasicTypes.find(TypeName.get(type).withoutAnnotations());
        }
        WireType parsed = switch (type.getKind()) {
            case ARRAY -> array((ArrayType) type);
            case DECLARED -> declared((DeclaredType) type);
            case WILDCARD -> parse(bound((WildcardType) type), false);
            case TYPEVAR -> throw new UnsupportedTypeException(Problem.TYPE_VARIABLE, type);
            case ERROR -> throw new UnresolvedTypeException(type);
            default -> throw new UnsupportedTypeException(Problem.UNSUPPORTED, type, "its kind is " + type.getKind());
        };
        return nullable && parsed.refusesNull() ? new WireType.Nullable(parsed.javaType(), parsed) : parsed;
    }

    private static TypeMirror bound(WildcardType type) throws UnsupportedTypeException {
        if (type.getExtendsBound() == null) {
            throw new UnsupportedTypeException(Problem.WILDCARD, type);
        }
        return type.getExtendsBound();
    }

    private WireType array(ArrayType type) throws UnsupportedTypeException {
        TypeMirror component = type.getComponentType();
        if (component.getKind().isPrimitive()) {
            return BasicTypes.find(Names.of(type));
        }
        return new WireType.ArrayType(Names.of(type), parse(component, false));
    }

    private WireType declared(DeclaredType type) throws UnsupportedTypeException {
        TypeName name = Names.of(type);
        if (name.isBoxedPrimitive()) {
            return new WireType.Nullable(name, BasicTypes.find(name.unbox()));
        }
        WireType basic = BasicTypes.find(name);
        if (basic == null) {
            basic = OPTIONAL_PRIMITIVES.get(name.toString());
        }
        return basic != null ? basic : container(type);
    }

    private WireType container(DeclaredType type) throws UnsupportedTypeException {
        String name = Scope.name(type);
        if (name.equals("java.util.Optional")) {
            WireType value = argument(type, 0);
            WireType present = value instanceof WireType.Nullable nullable ? nullable.value() : value;
            return new WireType.Optional(Names.of(type), ClassName.get(java.util.Optional.class), "get", present);
        }
        if (SEQUENCES.containsKey(name)) {
            return new WireType.Sequence(Names.of(type), SEQUENCES.get(name), argument(type, 0));
        }
        if (name.equals("java.util.Map")) {
            return new WireType.MapType(Names.of(type), argument(type, 0), argument(type, 1));
        }
        return named(type);
    }

    private WireType argument(DeclaredType type, int index) throws UnsupportedTypeException {
        requireArguments(type);
        return parse(type.getTypeArguments().get(index), false);
    }

    private static void requireArguments(DeclaredType type) throws UnsupportedTypeException {
        if (type.getTypeArguments().size() != Scope.element(type).getTypeParameters().size()) {
            throw new UnsupportedTypeException(Problem.RAW_TYPE, type);
        }
    }

    private WireType named(DeclaredType type) throws UnsupportedTypeException {
        TypeElement element = Scope.element(type);
        requireArguments(type);
        use(element);
        if (element.getKind() == ElementKind.ENUM) {
            requireAccess(element);
            return new WireType.EnumType(ClassName.get(element), constants(element), unknown(element));
        }
        if (element.getKind() == ElementKind.RECORD) {
            requireAccess(element);
            return records.parse(type);
        }
        return objects.parse(type);
    }

    private void requireAccess(TypeElement element) throws UnsupportedTypeException {
        if (!scope.canName(element)) {
            throw new UnsupportedTypeException(Problem.INACCESSIBLE, element, scope.home());
        }
    }

    static List<String> constants(TypeElement type) {
        return type.getEnclosedElements().stream()
                .filter(element -> element.getKind() == ElementKind.ENUM_CONSTANT)
                .map(Element::getSimpleName)
                .map(Object::toString)
                .toList();
    }

    private static String unknown(TypeElement type) throws UnsupportedTypeException {
        List<? extends Element> marked = type.getEnclosedElements().stream()
                .filter(element -> element.getKind() == ElementKind.ENUM_CONSTANT)
                .filter(element -> Annotations.has(element, UnknownConstant.class))
                .toList();
        if (marked.size() > 1) {
            throw new UnsupportedTypeException(Problem.UNKNOWN_TWICE, type);
        }
        return marked.isEmpty() ? null : marked.get(0).getSimpleName().toString();
    }

    /** Returns true for a type that travels in a fixed layout, whatever its type arguments do. */
    boolean isFixed(TypeMirror type) {
        if (type.getKind() != TypeKind.DECLARED) {
            return true;
        }
        DeclaredType declared = (DeclaredType) type;
        TypeName name = Names.of(type);
        String raw = Scope.name(declared);
        ElementKind kind = Scope.element(declared).getKind();
        return name.isBoxedPrimitive() || BasicTypes.find(name) != null || OPTIONAL_PRIMITIVES.containsKey(raw)
                || SEQUENCES.containsKey(raw) || raw.equals("java.util.Map") || raw.equals("java.util.Optional")
                || kind == ElementKind.ENUM || kind == ElementKind.RECORD;
    }
}
