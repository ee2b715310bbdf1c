/**
 * What a server is made of before it starts: what its builder was told, and the services that it has beside those. Must
 * never know a session. Internal: public for the module's other rooms. One thread, until the server has started.
 */
package org.jvrpc.runtime.server.setup;
