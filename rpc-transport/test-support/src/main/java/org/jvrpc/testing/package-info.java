/**
 * What the tests of all modules share: child processes, bounded waits, a folder of shared memory for each test class,
 * counts of what a process holds, and histories in a room of their own. Knows the JDK and JUnit; never a module under
 * test, and is never on a class path at run time. Times are nanoseconds unless a name says otherwise. Any thread.
 */
package org.jvrpc.testing;
