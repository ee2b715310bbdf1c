package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@link java.nio.ByteBuffer} parameter that the handler reads where it landed, in session memory, without a
 * copy. The view is read-only, goes from 0 to the number of its bytes, shows no others wherever its bounds are moved,
 * and ends when the method returns: a handler that keeps it reads what later calls of the session wrote there.
 *
 * <p>On the type argument of a stream, {@code Flow.Publisher<@InPlace ByteBuffer>}, its consumer gets views of the
 * bytes in the stream's own memory: each ends when {@code onNext} returns, or with the reader's next call.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PARAMETER, ElementType.TYPE_USE})
public @interface InPlace {
}
