package org.jvrpc.codegen.model;

import java.util.List;

/**
 * One part of a record or of an exception, in the order of the constructor that takes it back.
 *
 * @param name as the schema and messages show it
 * @param accessor the method that returns it
 * @param type how it travels
 * @param since the version that brought it, 0 for the first
 */
public record Component(String name, String accessor, WireType type, int since) {

    /** One that every version has. */
    public Component(String name, String accessor, WireType type) {
        this(name, accessor, type, 0);
    }

    /** Returns the components that every version has. */
    public static List<Component> base(List<Component> all) {
        return all.stream().takeWhile(component -> component.since == 0).toList();
    }
}
