/** Examples of streams, and of frames of bytes. */
package org.jvrpc.samples.cookbook.streams;
