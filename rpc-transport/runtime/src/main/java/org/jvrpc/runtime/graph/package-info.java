/**
 * Object graphs by Kryo, read from bytes that may lie about lengths. The one room that knows Kryo; must never know
 * anything else of this module. Internal: public for the module's other rooms. Any thread.
 */
package org.jvrpc.runtime.graph;
