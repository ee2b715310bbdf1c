/**
 * The rings and the memory of a QP, and what chains send and receive, as the state machines of RoCE see them; QPs by
 * their numbers, and what they count.
 */
package org.jvrpc.softrnic.roce.ring;
