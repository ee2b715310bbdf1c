package org.jvrpc.softrnic.datagram;

/** The way of one address handle, which WQEs name by its index and GID. Any thread. */
public interface Route {

    /** Returns which of its own device's routes it is, 1 to 65,535: the LID of its address vector. */
    int index();

    /** Returns the number of the handle's protection domain. */
    int pd();

    /** Returns the first half of the GID. */
    long gidHigh();

    /** Returns the second half of the GID. */
    long gidLow();

    /** Ends it: WQEs that name it fail. */
    void close();
}
