package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@code void} method without declared exceptions that has no answer: the call returns when the message is on
 * its way. Messages of one thread arrive in order; those that a dying server had not taken are lost. A client that
 * closes waits until its own have reached the server, two seconds at most for each session, and they run.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface OneWay {
}
