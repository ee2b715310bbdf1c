/**
 * What a simulated fabric has counted and how it is set, as real devices tell it. It changes nothing. The thread of the
 * fabric; simulated time.
 */
package org.jvrpc.watch.fabric.state;
