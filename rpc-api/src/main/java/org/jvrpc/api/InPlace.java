package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@link java.nio.ByteBuffer} parameter that the handler reads where it landed, in session memory, without a
 * copy. The view is read-only and ends when the method returns: a handler that keeps it reads other calls' bytes.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface InPlace {
}
