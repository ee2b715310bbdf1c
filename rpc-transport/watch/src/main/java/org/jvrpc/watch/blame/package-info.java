/**
 * Who is to blame: what lost and late probes have in common.
 */
package org.jvrpc.watch.blame;
