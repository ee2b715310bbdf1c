package org.jvrpc.kotlin

import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Flow.Publisher
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.jdk9.asFlow
import kotlinx.coroutines.jdk9.asPublisher
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.jvrpc.api.CallOptions
import org.jvrpc.api.RpcContext
import org.jvrpc.api.RpcException
import org.jvrpc.api.Status
import org.jvrpc.runtime.RpcClient
import org.jvrpc.runtime.RpcServer

/** Calls and handlers that are coroutines. */
class CoroutinesTest {

    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val gone = CompletableDeferred<Unit>()

    private inner class Store : Shop {

        override fun price(article: String): Long =
            if (article == "tea") 7 else throw SoldOut(article)

        // handler begins
        override fun deliver(article: String): CompletableFuture<String> = scope.answer {
            yield() // goes on in another thread, maybe
            when (article) {
                "tea" -> "$article, ${RpcContext.current()!!.remainingNs() > 0}"
                "ship" -> try {
                    awaitCancellation()
                } finally {
                    gone.complete(Unit)
                }
                else -> throw RpcException(Status.NOT_FOUND, article)
            }
        }
        // handler ends

        override fun articles(count: Int): Publisher<String> =
            (1..count).asFlow().map { "article $it" }.asPublisher()

        override fun count(articles: Publisher<String>): Long = runBlocking { articles.asFlow().count().toLong() }
    }

    private val server = RpcServer.builder().bind("inproc://kotlin-${COUNT.incrementAndGet()}")
        .service(Shop::class.java, Store()).context(true).start()
    private val client = RpcClient.builder(server.address()).deadline(Duration.ofMinutes(1)).connect()
    private val shop: Shop = client.stub()
    private val async: ShopAsync = client.asyncStub<Shop, ShopAsync>()

    @AfterEach
    fun close() {
        scope.cancel()
        client.close()
        server.close()
    }

    private inline fun <reified E : Throwable> failureOf(call: () -> Any?): E {
        val answer = try {
            call()
        } catch (e: Throwable) {
            return assertInstanceOf(E::class.java, e)
        }
        fail("answered: $answer")
    }

    @Test
    fun callsSuspend() = runBlocking {
        // calls begins
        val price = async.await { price("tea") }
        // calls ends
        assertEquals(7, price)
        val sum = (1..100).map { async(Dispatchers.Default) { async.await { price("tea") } } }.awaitAll().sum()
        assertEquals(700, sum)
    }

    @Test
    fun failuresAreThoseOfTheMethod() = runBlocking {
        assertEquals("milk", failureOf<SoldOut> { async.await { price("milk") } }.message)
        val failure = failureOf<RpcException> { async.await { deliver("milk") } }
        assertEquals(Status.NOT_FOUND, failure.status())
    }

    @Test
    fun handlersWorkInTheirCallsContext() = runBlocking {
        assertEquals("tea, true", async.await { deliver("tea") })
    }

    @Test
    fun aCoroutineThatIsCancelledCancelsTheHandler() = runBlocking {
        failureOf<TimeoutCancellationException> { withTimeout(50) { async.await { deliver("ship") } } }
        withTimeout(60_000) { gone.await() }
    }

    @Test
    fun aHandlerEndsWithItsCallsTime() = runBlocking {
        val brief = client.asyncStub<Shop, ShopAsync>(
            CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(100)))
        val failure = failureOf<RpcException> { brief.await { deliver("ship") } }
        assertEquals(Status.DEADLINE_EXCEEDED, failure.status())
        withTimeout(60_000) { gone.await() }
    }

    @Test
    fun streamsAreFlows() = runBlocking {
        assertEquals(listOf("article 1", "article 2", "article 3"), shop.articles(3).asFlow().toList())
        // flow begins
        val five = shop.articles(1_000_000).asFlow().take(5).count() // which ends the stream
        // flow ends
        assertEquals(5, five)
        assertEquals(1000, async.await { count((1..1000).asFlow().map { "$it" }.asPublisher()) })
    }

    private companion object {
        val COUNT = AtomicInteger()
    }
}
