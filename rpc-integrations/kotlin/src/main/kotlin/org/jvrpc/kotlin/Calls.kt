package org.jvrpc.kotlin

import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.future.await
import org.jvrpc.api.CallOptions
import org.jvrpc.runtime.RpcClient

/** Returns a stub of a service, whose calls hold their thread. Any thread. */
public inline fun <reified S : Any> RpcClient.stub(options: CallOptions = CallOptions.DEFAULT): S =
    stub(S::class.java, options)

/** Returns a stub of the twin [A] of a service [S] that the processor writes, for [await]. Any thread. */
public inline fun <reified S : Any, reified A : Any> RpcClient.asyncStub(
    options: CallOptions = CallOptions.DEFAULT,
): A = asyncStub(S::class.java, A::class.java, options)

/**
 * Makes a call by an asynchronous stub and suspends until it is answered: `val order = orders.await { find(7) }`. A
 * coroutine that is cancelled, or whose `withTimeout` is over, cancels the call, of which the server hears.
 *
 * @throws org.jvrpc.api.RpcException as the method of the synchronous stub does; what the method declares, as it is
 */
public suspend inline fun <A : Any, T> A.await(call: A.() -> CompletableFuture<T>): T = call().await()
