package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the constant of an enum that stands for those which a newer peer has in addition. Without one, a call that
 * carries such a constant fails with {@link Status#INTERNAL} where it is read.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface UnknownConstant {
}
