package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record component, or a constructor's parameter of a declared exception, that peers of an older version do not
 * have. Such components stand behind all others, in the order of their versions. A record needs no preparation for its
 * first one: peers say when a service is opened what they have, and only what both have travels.
 *
 * <p>Where it did not travel the component is 0, false, an empty {@code Optional}, or null: a reference with this mark
 * may always be null, as if it were marked {@link Nullable}. A record's compact constructor is the place for another
 * default.
 *
 * <p>On a method it is the mark of a component's accessor, where the compiler finds it in class files.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD, ElementType.PARAMETER})
public @interface Since {

    /** The version that brought it, from 1, as its author counts; not less than that of the component before. */
    int value();
}
