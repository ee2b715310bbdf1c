package org.jvrpc.runtime;

import java.util.List;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.offload.MethodPublisher;

/**
 * The answers of a method that a server has published: clients find them without the server's CPU. A call without
 * a published answer is an ordinary one. Any thread, handlers included.
 *
 * <p>A change of what the method answers is published, or the old answer removed, before anybody is told of the
 * change. Until then ordinary calls and those by program may differ; to avoid that, remove first, then change, then
 * publish.
 *
 * @param <T> the service
 */
public final class OffloadedMethod<T> {

    private final MethodPublisher<T> publisher;

    OffloadedMethod(MethodPublisher<T> publisher) {
        this.publisher = publisher;
    }

    /** One call of the method, with the arguments whose answer is meant: {@code kv -> kv.get(42)}. */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * Makes the call.
         *
         * @param stub of the service, which returns from none of its methods
         * @throws Exception what the method declares; it does not come about
         */
        Object on(T stub) throws Exception;
    }

    /**
     * Calls the server's implementation, on this thread and without interceptors, and publishes what it returns, or the
     * declared exception that it throws. Publications of the same arguments may overlap: the answer of the one that
     * began last is found.
     *
     * @throws RuntimeException what the implementation throws and does not declare: what was published for these
     *     arguments is removed then
     * @throws IllegalArgumentException when the call is not one of the method
     */
    public MethodPublished publish(Call<T> call) {
        return publisher.publish(call::on);
    }

    /**
     * Publishes a result without calling the implementation. The caller has publications of the same arguments follow
     * one another.
     *
     * @throws IllegalArgumentException when the call is not one of the method, or cannot have the result
     */
    public MethodPublished publish(Call<T> call, Object result) {
        return publisher.publish(call::on, result);
    }

    /**
     * Has calls with these arguments be ordinary ones.
     *
     * @return false when they were
     * @throws IllegalArgumentException when the call is not one of the method
     */
    public boolean remove(Call<T> call) {
        return publisher.remove(call::on);
    }

    /** Removes every answer. */
    public void clear() {
        publisher.clear();
    }

    /** Returns how many answers are published. */
    public int size() {
        return publisher.size();
    }

    /** Returns the address of the program's host. */
    public String address() {
        return publisher.address();
    }

    /** Returns the name of the lookup at its host. */
    public String name() {
        return publisher.name();
    }

    /** Returns where in its memory the header of the table lies: what another host offers. */
    public long header() {
        return publisher.header();
    }

    /** Returns the clients connected to the server's own host, with what they have executed; each can be cut off. */
    public List<HostedClient> clients() {
        return publisher.clients();
    }
}
