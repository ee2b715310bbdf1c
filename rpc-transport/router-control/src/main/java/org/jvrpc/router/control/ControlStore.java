package org.jvrpc.router.control;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/** What an administrator reads and changes. One thread; each call blocks for as long as the place allows. */
public interface ControlStore extends AutoCloseable {

    /** Returns what is there now. @throws IOException when it cannot be read, or is wrong */
    ControlState read() throws IOException, InterruptedException;

    /**
     * Changes what is there, all or nothing, and notes it in the audit log. Made again where somebody else was faster.
     *
     * @param what for the audit log: neither tokens nor passwords
     * @param edit throws IllegalArgumentException where it cannot be; its result's epoch does not count
     * @return what is there then
     * @throws IOException when it cannot be written
     */
    ControlState change(String what, UnaryOperator<ControlState> edit) throws IOException, InterruptedException;

    /** Returns the newest lines of the audit log, the oldest first. */
    List<String> audit() throws IOException, InterruptedException;

    @Override
    void close();
}
