/**
 * What an agent says of one window, and how that travels: bounded, sealed, of a version. Must never know who makes of
 * it what.
 */
package org.jvrpc.watch.report;
