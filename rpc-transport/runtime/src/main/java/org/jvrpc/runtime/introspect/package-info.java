/**
 * What a server tells of itself beside its health, where it was made to: its services by
 * {@link org.jvrpc.api.reflection.Reflection}, its sessions and settings by {@link org.jvrpc.api.admin.Admin}. Must
 * never know what is inside sessions, links or transports: whoever has them hands in what is told. Internal: public for
 * the module's other rooms. Any thread.
 */
package org.jvrpc.runtime.introspect;
