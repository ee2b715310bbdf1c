/**
 * Values of services that this program was built without, as JSON: read and written by the types that signatures name.
 * Knows no connection and no command. Objects are used by one thread.
 */
package org.jvrpc.recording.json;
