package org.jvrpc.router.map;

import org.jvrpc.router.TenantId;

/**
 * Who may reach whom. The first rule that fits counts; where none does, only a tenant may reach itself.
 *
 * @param from null: any
 * @param to null: any
 */
public record Rule(TenantId from, TenantId to, int firstPort, int lastPort, boolean allow) { }
