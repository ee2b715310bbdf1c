/**
 * What a tenant is, and what it has: its folder, its slabs, its keys, its quotas and tokens, and the state of each of
 * its devices that is attached. Nothing here believes what a tenant says or writes. Whatever touches a tenant's files
 * may take as long as the tenant likes ({@code fcntl(2)}, F_SETLEASE), so it is done by
 * {@link org.jvrpc.router.tenant.Slowly}, never by a thread that serves others. Lengths are bytes.
 */
package org.jvrpc.router.tenant;
