package org.jvrpc.runtime.introspect;

import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.admin.Setting;

/** How one server stands, for those who look after it. Any thread. */
public final class AdminTable implements Admin {

    private final Supplier<List<SessionInfo>> sessions;
    private final List<Setting> settings;

    /** @param sessions says which there are now, in any order; any thread asks */
    public AdminTable(Supplier<List<SessionInfo>> sessions, List<Setting> settings) {
        this.sessions = sessions;
        this.settings = List.copyOf(settings);
    }

    @Override
    public List<SessionInfo> sessions() {
        return sessions.get().stream().sorted(Comparator.comparingLong(SessionInfo::id)).toList();
    }

    @Override
    public List<Setting> settings() {
        return settings;
    }
}
