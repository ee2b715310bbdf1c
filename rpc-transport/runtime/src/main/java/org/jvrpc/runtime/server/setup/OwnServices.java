package org.jvrpc.runtime.server.setup;

import java.util.List;
import java.util.function.Supplier;
import org.jvrpc.api.admin.AdminService;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.health.HealthService;
import org.jvrpc.api.reflection.ReflectionService;
import org.jvrpc.runtime.health.HealthTable;
import org.jvrpc.runtime.introspect.AdminTable;
import org.jvrpc.runtime.introspect.ReflectionTable;
import org.jvrpc.runtime.introspect.SettingsText;
import org.jvrpc.runtime.service.ServiceTable;

/** The services that servers have beside those of their users, unless a user has one of that name. */
public final class OwnServices {

    private OwnServices() {
    }

    /** Adds them. @param sessions says which there are now */
    public static void add(ServiceTable services, HealthTable health, ServerOptions options,
            Supplier<List<SessionInfo>> sessions) {
        services.addMissing(new HealthService(), health);
        if (options.reflection()) {
            services.addMissing(new ReflectionService(), new ReflectionTable(services));
        }
        if (options.admin()) {
            services.addMissing(new AdminService(), new AdminTable(sessions,
                    SettingsText.of(options.address(), options.settings(), options.limits())));
        }
    }
}
