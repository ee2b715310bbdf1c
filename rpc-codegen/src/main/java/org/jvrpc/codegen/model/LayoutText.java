package org.jvrpc.codegen.model;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.codegen.model.WireType.ArrayType;
import org.jvrpc.codegen.model.WireType.Basic;
import org.jvrpc.codegen.model.WireType.EnumType;
import org.jvrpc.codegen.model.WireType.MapType;
import org.jvrpc.codegen.model.WireType.Nullable;
import org.jvrpc.codegen.model.WireType.ObjectType;
import org.jvrpc.codegen.model.WireType.Optional;
import org.jvrpc.codegen.model.WireType.RecordType;
import org.jvrpc.codegen.model.WireType.Sequence;

/**
 * The canonical text of a wire type, in which equal texts mean equal bytes. Visiting notes the layouts that the text
 * only names, so that a method's signature can carry all that it reaches.
 */
final class LayoutText implements WireType.Visitor<String> {

    private final Shapes shapes;
    private final SortedMap<String, String> reached = new TreeMap<>();

    LayoutText(Shapes shapes) {
        this.shapes = shapes;
    }

    /** Returns the layouts named by what was visited, by name. */
    SortedMap<String, String> reached() {
        return reached;
    }

    String of(WireType type) {
        return type.accept(this);
    }

    /** Returns {@code {name:layout,…}} of an exception. */
    String of(ExceptionShape exception) {
        return exception.type() + components(exception.components());
    }

    @Override
    public String visitBasic(Basic type) {
        return type.layout();
    }

    @Override
    public String visitEnum(EnumType type) {
        String name = type.javaType().toString();
        reached.put(name, name + "[" + String.join(",", type.constants()) + "]");
        return name;
    }

    @Override
    public String visitRecord(RecordType type) {
        RecordShape shape = shapes.record(type);
        String name = shape.key();
        if (reached.putIfAbsent(name, "") == null) {
            reached.put(name, name + components(shape.components()));
        }
        return name;
    }

    private String components(Iterable<Component> components) {
        StringBuilder text = new StringBuilder("{");
        for (Component component : components) {
            text.append(text.length() == 1 ? "" : ",")
                    .append(component.name())
                    .append(component.since() == 0 ? "" : "@" + component.since())
                    .append(':')
                    .append(of(component.type()));
        }
        return text.append('}').toString();
    }

    @Override
    public String visitNullable(Nullable type) {
        return of(type.value()) + "?";
    }

    @Override
    public String visitOptional(Optional type) {
        return type.raw().simpleName() + "<" + of(type.value()) + ">";
    }

    @Override
    public String visitSequence(Sequence type) {
        String name = switch (type.kind()) {
            case LIST -> "List";
            case SET -> "Set";
            case COLLECTION -> "Collection";
        };
        return name + "<" + of(type.element()) + ">";
    }

    @Override
    public String visitMap(MapType type) {
        return "Map<" + of(type.key()) + "," + of(type.value()) + ">";
    }

    @Override
    public String visitArray(ArrayType type) {
        return of(type.element()) + "[]";
    }

    @Override
    public String visitObject(ObjectType type) {
        type.references().forEach(name -> reach(shapes.objects().get(name)));
        return "object " + type.javaType().toString().replace(" ", "");
    }

    private void reach(ObjectShape shape) {
        if (shape == null || reached.containsKey("object " + shape.type())) {
            return;
        }
        reached.put("object " + shape.type(), text(shape));
        shape.references().forEach(name -> reach(shapes.objects().get(name)));
    }

    /** Returns {@code object name{field,…}}. */
    static String text(ObjectShape shape) {
        return "object " + shape.type() + "{" + String.join(",", shape.fields()) + "}";
    }
}
