/**
 * The annotation processor. Parses {@link org.jvrpc.api.RpcService} interfaces into an immutable model and writes their
 * stubs, skeletons and descriptors from it. Runs inside the compiler; must never know the runtime.
 *
 * <p>Its output is a function of the interface and of the types that it reaches: no date, JDK or host is in it, and it
 * does not depend on the order in which the compiler sees files.
 */
@NullMarked
package org.jvrpc.codegen;

import org.jspecify.annotations.NullMarked;
