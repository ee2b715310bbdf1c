package org.jvrpc.api.admin;

import org.jvrpc.api.Nullable;

/**
 * One session of a server.
 *
 * @param id its number, which no other session of that server has
 * @param peer host of the client; null where both are on one host
 * @param principal who the client has shown to be; null for nobody
 * @param openCalls calls that are not answered yet
 */
public record SessionInfo(long id, @Nullable String peer, @Nullable String principal, int openCalls) {
}
