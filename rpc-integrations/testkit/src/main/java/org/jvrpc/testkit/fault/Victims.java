package org.jvrpc.testkit.fault;

/** What faults may end. Any thread. */
public interface Victims {

    /** Ends all sessions of the server at once; clients connect again. */
    void killSessions();

    /** Ends the server at once, as if its process were killed. */
    void killServer();

    /** Ends the server at once, and starts another at its address. */
    void restartServer();
}
