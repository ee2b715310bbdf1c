/** Examples of time and failure: deadlines, calls that are made again, how threads wait. */
package org.jvrpc.samples.cookbook.waits;
