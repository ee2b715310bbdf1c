package org.jvrpc.runtime.transport;

import java.util.function.IntUnaryOperator;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.verbs.Device;

/**
 * What a server of whatever protocol is found by: its address, and the control thread that takes clients and gives back
 * what they had. Any thread.
 */
public interface ServerTransport extends AutoCloseable {

    /** What servers of different protocols do differently. Control thread. */
    interface Server {

        /** Returns why nobody is taken now, or null. */
        String unavailable();

        /**
         * Looks at somebody who wants a session, of whom nothing else is known as yet.
         *
         * @throws org.jvrpc.api.RpcException when they may have none, which they are told
         */
        default void admit(Who who) {
            // everybody may
        }

        /**
         * Returns the number of the thread that is to poll the next session.
         *
         * @param waiting how many are each thread's, and have no session yet
         */
        default int thread(IntUnaryOperator waiting) {
            return 0;
        }

        /**
         * As above, for a session of a protocol that the server may have beside its own.
         *
         * @throws org.jvrpc.api.RpcException when it has none of those
         */
        default int thread(Protocol asked, IntUnaryOperator waiting) {
            return thread(waiting);
        }

        /** Returns the longest body or frame that the server takes. */
        long maxBytes();

        /** As above, in a session of a protocol that the server may have beside its own. */
        default long maxBytes(Protocol asked) {
            return maxBytes();
        }

        /**
         * Makes a session, which owns link and bodies when this returns.
         *
         * @param thread number of the one that polls it
         * @param asked with what the client takes, and as many units as are granted
         * @return what is to be done once the link is connected
         */
        Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies);

        /** Ends the server, whose device is gone; returns soon, for the end waits for this thread. */
        void deviceIsGone();
    }

    void start();

    /** Returns the device, by which lookups are served; null where there is none. */
    Device device();

    /** Returns where a thread waits that polls sessions. @param thread its number, from 0 */
    Events events(int thread);

    /** Returns the address, or the last one, with the port that was taken where it was given as 0. */
    String address();

    /** Listens at another address of its kind. After {@link #unlisten} where it did before. */
    void listen(String bindAddress);

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    void unlisten();

    /** Has the control thread do something, such as give back what a session had. */
    void bury(Runnable burial);

    boolean isControlThread();

    /** Has what fails from now on told to nobody, for it is the end; sessions are buried until {@link #close}. */
    void expectEnd();

    /** Ends the control thread, after it has given back all that is dead, then the rest. Not the control thread. */
    void stop();

    /** Closes that of a server that never started. */
    @Override
    void close();
}
