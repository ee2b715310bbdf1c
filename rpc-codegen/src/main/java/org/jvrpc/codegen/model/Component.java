package org.jvrpc.codegen.model;

/**
 * One part of a record or of an exception, in the order of the constructor that takes it back.
 *
 * @param name as the schema and messages show it
 * @param accessor the method that returns it
 * @param type how it travels
 */
public record Component(String name, String accessor, WireType type) {
}
