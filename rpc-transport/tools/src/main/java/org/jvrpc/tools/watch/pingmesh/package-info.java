/**
 * {@code jvrpc pingmesh}.
 */
package org.jvrpc.tools.watch.pingmesh;
