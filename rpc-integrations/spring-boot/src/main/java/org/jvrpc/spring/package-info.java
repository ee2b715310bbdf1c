/**
 * jvRPC in Spring Boot applications: beans that are served, stubs that are injected. This package has what applications
 * name: annotations, customizers, and the servers and clients of a context. The packages below belong to it alone:
 * {@code config} (properties), {@code server}, {@code client}, {@code health}, {@code metrics}; {@code test} has
 * the slice for tests.
 *
 * <p>Nothing here stands in the way of a call: a stub's channel costs one field and one call more than a plain one.
 */
package org.jvrpc.spring;
