/**
 * Pictures as SVG, written by hand. It knows nothing but the numbers and words that it is given, all of which it
 * escapes. Stateless.
 */
package org.jvrpc.watch.picture;
