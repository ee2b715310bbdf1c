/**
 * How messages and elements are cut into pieces and put together again: the header of a piece, what sends one, what
 * puts messages together, and what a failure and trailers say. Must never know streams or sessions. Internal: public
 * for the module's other rooms. Lengths are in bytes.
 */
package org.jvrpc.runtime.stream.piece;
