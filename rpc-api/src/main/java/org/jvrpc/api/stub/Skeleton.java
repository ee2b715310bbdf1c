package org.jvrpc.api.stub;

/** Calls an implementation from bytes. Generated; stateless but for the implementation. */
public interface Skeleton {

    /**
     * Decodes the arguments of a method, calls it, encodes its result or declared exception.
     *
     * @param index of the method in its service; the caller has checked its range
     * @throws Throwable what the handler threw and did not declare, or what decoding threw
     */
    void dispatch(int index, ServerCall call) throws Throwable;
}
