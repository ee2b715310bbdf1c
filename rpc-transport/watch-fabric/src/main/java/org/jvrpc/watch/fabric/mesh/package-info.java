/**
 * Pingmesh in the simulated fabric.
 */
package org.jvrpc.watch.fabric.mesh;
