package org.jvrpc.kotlin

import java.util.concurrent.CompletableFuture
import java.util.concurrent.Flow.Publisher
import org.jvrpc.api.RpcMethod
import org.jvrpc.api.RpcService

/** A service as Kotlin says it. */
// snippet begins
@RpcService
interface Shop {

    @Throws(SoldOut::class)
    fun price(article: String): Long

    @RpcMethod(heavy = true)
    fun deliver(article: String): CompletableFuture<String>

    fun articles(count: Int): Publisher<String>

    fun count(articles: Publisher<String>): Long
}

class SoldOut(message: String) : Exception(message)
// snippet ends
