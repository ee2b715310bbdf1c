package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The records and the classes of object graphs that a service reaches, by the text of their type.
 *
 * @param records by key
 * @param objects by class
 */
public record Shapes(SortedMap<String, RecordShape> records, SortedMap<String, ObjectShape> objects) {
    public Shapes {
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
        objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    }

    /** Returns the classes to register, in the order of their numbers. */
    public List<TypeName> objectClasses() {
        return objects.values().stream().filter(ObjectShape::concrete).map(ObjectShape::type).toList();
    }

    /** Returns the shape of a record type. */
    public RecordShape record(WireType.RecordType type) {
        return records.get(type.key());
    }
}
