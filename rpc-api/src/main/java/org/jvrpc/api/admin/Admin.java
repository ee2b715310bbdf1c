package org.jvrpc.api.admin;

import java.util.List;
import org.jvrpc.api.RpcService;

/**
 * Tells how a server stands to those who look after it. A server offers it where it was made so; interceptors and
 * authorizers see its calls as any other. Many threads.
 */
@RpcService
public interface Admin {

    /** Returns the sessions that are open, by number. */
    List<SessionInfo> sessions();

    /** Returns what the server was made with: sizes in bytes, times in milliseconds, by name. */
    List<Setting> settings();
}
