/** What the script {@code samples/containers/run} needs besides the other samples: a caller that never gives up. */
package org.jvrpc.samples.containers;
