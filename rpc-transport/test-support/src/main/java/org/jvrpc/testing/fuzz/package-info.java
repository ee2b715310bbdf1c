/**
 * Fuzz targets without a fuzzer: each {@code …Fuzz} class of a module's tests has a static
 * {@code fuzzerTestOneInput(byte[])}, which {@code .ci/fuzz} gives to Jazzer and which this room runs over the kept
 * corpus, {@code src/test/resources/fuzz/TARGET/}, and over inputs that a seed makes of it. It knows nothing of what is
 * tested. One thread.
 */
package org.jvrpc.testing.fuzz;
