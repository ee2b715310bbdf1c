/**
 * What the script {@code samples/containers/run} needs besides the other samples: a caller that never gives up, and an
 * administrator's commands in one process.
 */
package org.jvrpc.samples.containers;
