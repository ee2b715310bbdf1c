/** {@code jvrpc drift}: what is printed, and the incident in the simulated fabric. The library compares. */
package org.jvrpc.tools.watch.drift;
