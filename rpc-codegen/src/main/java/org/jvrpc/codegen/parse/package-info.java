/**
 * From {@code javax.lang.model} to {@link org.jvrpc.codegen.model}: reads an annotated interface, refuses what cannot
 * travel with an error on the element that caused it, and gives an immutable model of the rest. Owns every text of an
 * error ({@link org.jvrpc.codegen.parse.Problem}); must never know how Java is written.
 */
package org.jvrpc.codegen.parse;
