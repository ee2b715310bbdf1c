/**
 * Services without their code, on both sides: described by schemas, called with JSON, served from JSON. Owns what the
 * values of a method look like; knows neither files nor commands. A {@link org.jvrpc.recording.dynamic.DynamicService}
 * and a {@link org.jvrpc.recording.dynamic.DynamicMethod} are for many threads, a
 * {@link org.jvrpc.recording.dynamic.DynamicCall} for one.
 */
package org.jvrpc.recording.dynamic;
