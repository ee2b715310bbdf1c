package org.jvrpc.runtime.introspect;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.admin.Setting;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.session.Settings;

/** What a server was made with, by the names of its builder's methods. */
public final class SettingsText {

    private static final long NS_PER_MS = 1_000_000;

    private SettingsText() {
    }

    /** Returns all: sizes in bytes, times in milliseconds. */
    public static List<Setting> of(String address, Settings settings, SessionLimits limits) {
        List<Setting> all = new ArrayList<>();
        all.add(new Setting("bind", address));
        all.add(new Setting("pollers", String.valueOf(settings.pollers())));
        all.add(new Setting("idle", settings.idle().toString()));
        all.add(new Setting("queuedCalls", String.valueOf(settings.queuedCalls())));
        all.add(new Setting("maxBodyBytes", String.valueOf(settings.maxBodyBytes())));
        all.add(new Setting("keepAlive", String.valueOf(settings.keepAliveNs() / NS_PER_MS)));
        all.add(new Setting("objectGraphs", String.valueOf(settings.objectGraphs())));
        all.add(new Setting("streamWindow", String.valueOf(settings.streamWindow())));
        all.add(new Setting("limits.maxSessions", String.valueOf(limits.maxSessions())));
        all.add(new Setting("limits.maxSessionsPerPeer", String.valueOf(limits.maxSessionsPerPeer())));
        all.add(new Setting("limits.sessionMemory", String.valueOf(limits.sessionMemory())));
        all.add(new Setting("limits.bodyMemoryPerSession", String.valueOf(limits.bodyMemoryPerSession())));
        all.add(new Setting("limits.bodyMemory", String.valueOf(limits.bodyMemory())));
        all.add(new Setting("limits.streamMemoryPerSession", String.valueOf(limits.streamMemoryPerSession())));
        all.add(new Setting("limits.streamMemory", String.valueOf(limits.streamMemory())));
        return all;
    }
}
