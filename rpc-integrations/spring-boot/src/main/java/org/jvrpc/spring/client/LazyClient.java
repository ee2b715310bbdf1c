package org.jvrpc.spring.client;

import java.util.concurrent.locks.ReentrantLock;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;

/**
 * A client that connects when it is asked for. One thread connects and others wait for it; where that fails it fails
 * for all of them, and whoever asks after that tries again. Any thread.
 */
final class LazyClient implements AutoCloseable {

    private final String name;
    private final RpcClient.Builder builder;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile RpcClient client;
    private volatile long attempts;
    private volatile RuntimeException failure;
    private volatile boolean closed;

    LazyClient(String name, RpcClient.Builder builder) {
        this.name = name;
        this.builder = builder;
    }

    /** Returns the client, or null while there is none. */
    RpcClient now() {
        return client;
    }

    /** Returns why the last attempt to connect failed, or null. */
    RuntimeException failure() {
        return failure;
    }

    /** Returns the client, connected. @throws RpcException when that fails */
    RpcClient get() {
        RpcClient there = client;
        return there != null ? there : connect(attempts);
    }

    private RpcClient connect(long seen) {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RpcException.notRun(Status.CANCELLED, "interrupted while client " + name + " connects");
        }
        try {
            if (closed) {
                throw RpcException.notRun(Status.UNAVAILABLE, "client " + name + " is closed");
            }
            if (client == null) {
                if (attempts != seen && failure != null) { // what this thread waited for
                    throw again(failure);
                }
                attempt();
            }
            return client;
        } finally {
            lock.unlock();
        }
    }

    private void attempt() {
        try {
            client = builder.connect();
            failure = null;
        } catch (RuntimeException e) {
            failure = e;
            throw again(e);
        } finally {
            attempts++;
        }
    }

    private RuntimeException again(RuntimeException before) {
        Status status = before instanceof RpcException rpc ? rpc.status() : Status.UNAVAILABLE;
        return RpcException.notRun(status, "client " + name + " cannot connect: " + before.getMessage(), before);
    }

    /** Disconnects, and connects no more. Waits for a thread that connects. Idempotent. */
    @Override
    public void close() {
        closed = true;
        lock.lock();
        try {
            if (client != null) {
                client.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
