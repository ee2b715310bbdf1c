package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the one {@link java.nio.ByteBuffer} parameter of a method that carries bytes back. The caller supplies a buffer
 * with room; the handler gets a view of the session's response memory whose remaining bytes equal the caller's, and
 * puts its bytes there; on return the caller's buffer holds them, its position moved past the last. The view
 * ends when the method returns. Neither side allocates or makes a copy of its own. A call that fails leaves the
 * position where it was, but may have written behind it.
 *
 * <p>The method returns {@code void} or a primitive, and is neither one-way nor asynchronous.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Into {
}
