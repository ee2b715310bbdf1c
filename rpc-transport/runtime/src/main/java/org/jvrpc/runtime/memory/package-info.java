/**
 * Memory of sessions whose links need no device: slots ({@link org.jvrpc.runtime.memory.SlotFrames}), and long bodies
 * that the peer asks for by their keys ({@link org.jvrpc.runtime.memory.KeyedBodies}). Must never know a link.
 * Internal: public for the module's other rooms and for transports. One thread at a time, but for what says any. Units:
 * bytes.
 */
package org.jvrpc.runtime.memory;
