package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter, a result or a record component that may be null. Boxed primitives may always be null; every other
 * reference may not unless so marked. Any annotation of this simple name is taken.
 *
 * <p>On a type argument, as in {@code List<@Nullable String>}, it is seen where the compiler has the source; compilers
 * before JDK 22 do not see it in class files.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE_USE, ElementType.PARAMETER, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Nullable {
}
