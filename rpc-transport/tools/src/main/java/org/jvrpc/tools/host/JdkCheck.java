package org.jvrpc.tools.host;

import java.util.List;
import java.util.function.Predicate;

/** The JDK, and whether it lets native libraries be called. Source: JEP 472. */
public final class JdkCheck {

    /** The release from which on native access without leave is warned about, and will be refused. */
    private static final int WARNS = 24;
    private static final int OLDEST = 17;

    private JdkCheck() {
    }

    /** Looks at this JVM. */
    public static List<Finding> check() {
        return check(Runtime.version().feature(), System.getProperty("java.vendor") + " "
                + System.getProperty("java.version"), JdkCheck::isNativeAccessEnabled);
    }

    static List<Finding> check(int feature, String version, Predicate<Module> nativeAccess) {
        if (feature < OLDEST) {
            return List.of(Finding.fail(Area.SHM, "JDK", version + " is too old", "use JDK 17 or later"));
        }
        Finding jdk = Finding.ok(Area.SHM, "JDK", version);
        if (feature < WARNS || nativeAccess.test(JdkCheck.class.getModule())) {
            return List.of(jdk, Finding.ok(Area.RDMA, "native access", feature < WARNS
                    ? "needs no leave before JDK " + WARNS : "enabled"));
        }
        return List.of(jdk, Finding.warn(Area.RDMA, "native access",
                "JDK " + feature + " warns when libibverbs is called, and a later one will refuse",
                "start java with --enable-native-access=ALL-UNNAMED; shm:// needs no such flag"));
    }

    // Module.isNativeAccessEnabled is there from JDK 22 on.
    private static boolean isNativeAccessEnabled(Module module) {
        try {
            return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(module);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
