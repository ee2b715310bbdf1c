/**
 * What processes count: the layout of the files that they count in, and how others read these. Each process has one
 * file for all its clients and servers, in a folder of its user; whoever may read the file sees the counters live, and
 * keeps nobody from writing. Owns the layout and the reading; must never know sessions or calls. What is here is for
 * users; {@code counters.write} is not. Any thread, unless a type says otherwise. Times are in nanoseconds.
 */
@NullMarked
package org.jvrpc.runtime.counters;

import org.jspecify.annotations.NullMarked;
