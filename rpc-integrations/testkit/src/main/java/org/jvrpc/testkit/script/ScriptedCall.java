package org.jvrpc.testkit.script;

/**
 * A call as a test writes it: {@code orders -> orders.find(7)}.
 *
 * @param <T> the service
 */
@FunctionalInterface
public interface ScriptedCall<T> {

    /** Makes the call, once, of something that notes it. @throws Exception what the method declares; it throws none */
    void on(T service) throws Exception;
}
