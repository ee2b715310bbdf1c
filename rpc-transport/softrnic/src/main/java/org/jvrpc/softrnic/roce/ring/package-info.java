/**
 * The rings and the memory of a QP, and what chains send and receive, as the state machines of RoCE see them; and QPs
 * by their numbers.
 */
package org.jvrpc.softrnic.roce.ring;
