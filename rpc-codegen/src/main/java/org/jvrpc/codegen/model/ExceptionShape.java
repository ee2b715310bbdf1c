package org.jvrpc.codegen.model;

import com.palantir.javapoet.ClassName;
import java.util.List;

/**
 * How a declared exception travels: the arguments of one of its constructors, each had from an accessor.
 *
 * @param type the exception
 * @param depth number of its superclasses: a catch clause of a deeper one stands before
 * @param catchesAll true when its catch clause would also take the unchecked exceptions that nobody declared
 * @param components the constructor's arguments
 */
public record ExceptionShape(ClassName type, int depth, boolean catchesAll, List<Component> components) {
    public ExceptionShape {
        components = List.copyOf(components);
    }
}
