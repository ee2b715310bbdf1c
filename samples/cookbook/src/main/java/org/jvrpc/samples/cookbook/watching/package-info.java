/** Examples of what servers and clients tell of themselves. */
package org.jvrpc.samples.cookbook.watching;
