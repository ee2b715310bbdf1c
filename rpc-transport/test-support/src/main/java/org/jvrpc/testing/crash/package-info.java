/**
 * Crashes at every store to shared memory: a child runs classes to which a call was added behind each store, and is
 * halted, or stands still, behind the one that was asked for. The classes that users get know nothing of it.
 */
package org.jvrpc.testing.crash;
