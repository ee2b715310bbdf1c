/**
 * Vocabulary of the tools that measure and watch a fabric. It knows none of the rooms.
 */
package org.jvrpc.watch;
