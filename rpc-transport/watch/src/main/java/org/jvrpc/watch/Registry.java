package org.jvrpc.watch;

import java.util.List;

/** Which agents there are. Any thread. */
public interface Registry extends AutoCloseable {

    /** Returns a number that grows with each change. Does not block. */
    long epoch();

    /** Returns the agents known last, also while whoever keeps the list is gone. */
    List<AgentInfo> agents();

    /** Returns why the list may be old, or null. */
    String trouble();

    @Override
    void close();
}
