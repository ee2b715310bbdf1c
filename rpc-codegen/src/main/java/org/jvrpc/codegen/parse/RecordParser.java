package org.jvrpc.codegen.parse;

import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jvrpc.codegen.model.Component;
import org.jvrpc.codegen.model.RecordShape;
import org.jvrpc.codegen.model.WireType;

/** Finds the components of records, with type arguments applied. */
final class RecordParser {

    private final Scope scope;
    private final TypeParser types;
    private final SortedMap<String, RecordShape> shapes = new TreeMap<>();

    RecordParser(Scope scope, TypeParser types) {
        this.scope = scope;
        this.types = types;
    }

    SortedMap<String, RecordShape> shapes() {
        return Collections.unmodifiableSortedMap(shapes);
    }

    WireType parse(DeclaredType type) throws UnsupportedTypeException {
        TypeName name = Names.of(type);
        String key = Names.key(type);
        WireType.RecordType parsed = new WireType.RecordType(name, key);
        if (shapes.containsKey(key)) {
            return parsed;
        }
        if (type.getTypeArguments().stream().anyMatch(argument -> argument.getKind() == TypeKind.WILDCARD)) {
            throw new UnsupportedTypeException(Problem.WILDCARD_RECORD, type);
        }
        TypeElement element = Scope.element(type);
        String label = element.getSimpleName().toString();
        shapes.put(key, new RecordShape(key, label, List.of()));
        shapes.put(key, new RecordShape(key, label, components(type, element)));
        return parsed;
    }

    private List<Component> components(DeclaredType type, TypeElement element) throws UnsupportedTypeException {
        List<Component> components = new ArrayList<>();
        Versions versions = new Versions();
        for (RecordComponentElement component : element.getRecordComponents()) {
            String name = component.getSimpleName().toString();
            try {
                int since = versions.next(component, component.getAccessor());
                components.add(new Component(name, name, component(type, component, since), since));
            } catch (UnsupportedTypeException refused) {
                throw refused.via(element.getSimpleName() + "." + name);
            }
        }
        return components;
    }

    private WireType component(DeclaredType type, RecordComponentElement component, int since)
            throws UnsupportedTypeException {
        types.use(component.getAccessor());
        TypeMirror applied = ((ExecutableType) scope.types().asMemberOf(type, component.getAccessor())).getReturnType();
        boolean nullable = Annotations.nullable(component, component.asType(), component.getAccessor());
        return Versions.absent(types.parse(applied, nullable), since);
    }
}
