/**
 * The meeting place of generated code and the runtime. Generated stubs and skeletons import this package,
 * {@link org.jvrpc.api.wire} and {@link org.jvrpc.api} alone; the runtime implements
 * {@link org.jvrpc.api.stub.RpcChannel}, {@link org.jvrpc.api.stub.ClientCall} and
 * {@link org.jvrpc.api.stub.ServerCall}.
 * Not for hand-written programs, though nothing stops them.
 *
 * <p>A call object belongs to the thread that began it, until it is closed or handed over. Nothing here allocates.
 */
@NullMarked
package org.jvrpc.api.stub;

import org.jspecify.annotations.NullMarked;
