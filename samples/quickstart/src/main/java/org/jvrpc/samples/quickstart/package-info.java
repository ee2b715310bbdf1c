/**
 * A service of orders, its server and a client that calls every method, checks every answer and measures. To read in
 * this order: {@link org.jvrpc.samples.quickstart.TenLines}, all that a program needs;
 * {@link org.jvrpc.samples.quickstart.Orders}, an annotated interface with one method of each kind;
 * {@link org.jvrpc.samples.quickstart.OrderBook}, an implementation, which knows nothing of jvRPC but the annotations
 * and {@code RpcException}; {@link org.jvrpc.samples.quickstart.Trader}, a caller.
 *
 * <p>Generated beside {@code Orders} and never written by hand: {@code OrdersStub}, {@code OrdersAsync} with its stub,
 * {@code OrdersSkeleton}, {@code OrdersCodec} and {@code OrdersService}; see {@code target/generated-sources}.
 *
 * <p>Threads: the implementation is called by the server's poller and, for the heavy method, by its executor. Each
 * {@code Trader} is one thread. Times are in nanoseconds of {@link System#nanoTime()}.
 */
package org.jvrpc.samples.quickstart;
