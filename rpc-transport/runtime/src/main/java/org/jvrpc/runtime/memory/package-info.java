/**
 * Memory of sessions whose links need no device: slots, and long bodies that the peer asks for by their keys. Knows no
 * link.
 */
package org.jvrpc.runtime.memory;
