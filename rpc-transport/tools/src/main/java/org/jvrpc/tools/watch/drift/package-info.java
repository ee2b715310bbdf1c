/**
 * {@code jvrpc drift}.
 */
package org.jvrpc.tools.watch.drift;
