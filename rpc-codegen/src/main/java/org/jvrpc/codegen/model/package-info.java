/**
 * What the processor knows of a service once it is found valid: immutable records, with type names of JavaPoet as
 * values. Owns the wire types, the canonical text of the schema and its fingerprints; must never know
 * {@code javax.lang.model} or how Java is written.
 */
package org.jvrpc.codegen.model;
