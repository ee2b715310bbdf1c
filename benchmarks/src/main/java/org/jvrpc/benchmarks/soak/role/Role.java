package org.jvrpc.benchmarks.soak.role;

/** What a process does when it is told to. One thread. */
interface Role {

    /**
     * Does something and returns what is answered.
     *
     * @param words the command and its arguments
     */
    String execute(String[] words) throws Exception;

    /** Closes everything in order. */
    void end() throws Exception;
}
