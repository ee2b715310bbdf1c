/**
 * Methods whose answers programs find: on a server the tables that are published and their host, in a client the
 * connections to programs. Knows verbs and the offload module directly, for programs are made of them; must never know
 * the sessions of ordinary calls, which stand behind {@link org.jvrpc.runtime.offload.OrdinaryCalls}. Internal: public
 * for the module's other rooms. Many threads; a client connects to programs by a thread of its own.
 */
package org.jvrpc.runtime.offload;
