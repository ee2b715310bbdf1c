/** Examples of calls: what they take, return and carry. */
package org.jvrpc.samples.cookbook.calls;
