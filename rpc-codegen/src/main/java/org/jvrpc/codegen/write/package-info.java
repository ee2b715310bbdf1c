/**
 * From {@link org.jvrpc.codegen.model} to Java. One class for each generated class; above each emitter stands the Java
 * that it emits. The only place that knows how JavaPoet writes; must never know {@code javax.lang.model.type}.
 */
@NullMarked
package org.jvrpc.codegen.write;

import org.jspecify.annotations.NullMarked;
