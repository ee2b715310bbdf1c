/** The rings and the memory of a QP, as the state machines of RoCE see them. */
package org.jvrpc.softrnic.roce.ring;
