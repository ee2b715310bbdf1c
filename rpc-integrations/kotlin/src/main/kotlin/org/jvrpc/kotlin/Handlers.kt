package org.jvrpc.kotlin

import java.util.concurrent.CompletableFuture
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch
import org.jvrpc.api.RpcContext

/** How often a handler that is a coroutine looks whether its caller still waits. */
private const val LOOK_MS = 10L

/**
 * The call that a coroutine works for, on whichever thread it runs: stubs that it calls have the time that is left to
 * that call, and give up when it is cancelled. Immutable.
 */
public class RpcContextElement(private val context: RpcContext) :
    ThreadContextElement<RpcContext?>, AbstractCoroutineContextElement(Key) {

    /** Of the element in a coroutine's context. */
    public companion object Key : CoroutineContext.Key<RpcContextElement>

    override fun updateThreadContext(context: CoroutineContext): RpcContext? = this.context.attach()

    override fun restoreThreadContext(context: CoroutineContext, oldState: RpcContext?) {
        this.context.detach(oldState)
    }
}

/**
 * Answers a call by a coroutine of this scope: `override fun find(id: Long) = scope.answer { store.find(id) }`, in a
 * method that returns a future. It works in the call's context ([RpcContextElement]), where there is one: in heavy
 * methods, and in light ones of a server made with `context(true)`. There it is also cancelled, within some tens of
 * milliseconds, when the caller cancelled, is gone, or waits no longer. The handler's thread is free meanwhile.
 *
 * @param context added to the scope's, for instance a dispatcher; without one, coroutines run in `Dispatchers.Default`
 */
public fun <T> CoroutineScope.answer(
    context: CoroutineContext = EmptyCoroutineContext,
    handler: suspend CoroutineScope.() -> T,
): CompletableFuture<T> {
    val call = RpcContext.current() ?: return future(context, block = handler)
    val answer = future(context + RpcContextElement(call), block = handler)
    if (!answer.isDone) {
        val watch = launch(context) {
            while (!call.isCancelled && call.remainingNs() > 0) {
                delay(LOOK_MS)
            }
            answer.cancel(true)
        }
        answer.whenComplete { _, _ -> watch.cancel() }
    }
    return answer
}
