/**
 * What is kept over restarts.
 */
package org.jvrpc.watch.history;
