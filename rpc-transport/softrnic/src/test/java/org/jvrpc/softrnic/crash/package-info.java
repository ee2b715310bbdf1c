/**
 * A process is halted behind every store to shared memory that an operation makes, and another stands there for a while
 * and goes on: its peers end in order, others go on, and nothing stays behind.
 */
package org.jvrpc.softrnic.crash;
