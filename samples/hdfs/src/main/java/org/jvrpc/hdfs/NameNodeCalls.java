package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcService;

/**
 * The calls of a NameNode as its client makes them: each waits for its answer. The server's side of the same service is
 * {@link NameNodeService}; the two have one name and one schema. Requests and results are the protobuf messages of
 * Hadoop's own protocol.
 */
@RpcService(name = NameNodeCalls.NAME)
interface NameNodeCalls {

    /** Name and version of the service: a change that breaks the wire takes another number. */
    String NAME = "org.jvrpc.hdfs.NameNode.2";

    /**
     * Says who calls, and learns what there is to be called. Once more for the same user and client renews the login.
     *
     * @throws CallFailureException when the user is not allowed to call, or may not call for another
     * @throws NotServedHereException when another transport may do
     */
    LoginReply login(LoginRequest request) throws CallFailureException, NotServedHereException;

    /**
     * Calls a method that the NameNode answers on its poller: it reads, and does no I/O.
     *
     * @param login what {@link LoginReply#login} says
     * @param method number of the method in {@link LoginReply#methods}
     * @param callId Hadoop's number of the call, the same in every repetition
     * @param retry how often the call was repeated
     * @param header a partial {@code RpcRequestHeaderProto} with what is seldom sent: caller context, authorization
     *     header; mostly empty
     * @param request the message of the method's parameter
     * @return the message of the method's result
     * @throws CallFailureException what the method threw
     * @throws StaleLoginException when the login is not valid, and nothing was done
     * @throws LockedException when the poller would have to wait, and nothing was done
     */
    ByteBuffer light(long login, int method, int callId, int retry, byte[] header, @InPlace ByteBuffer request)
            throws CallFailureException, StaleLoginException, LockedException;

    /** Calls a method, light or not, through the NameNode's call queue. Otherwise as {@link #light}. */
    ByteBuffer queued(long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailureException, StaleLoginException;
}
