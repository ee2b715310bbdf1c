package org.jvrpc.router.ctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RouterStatus;
import org.jvrpc.router.VirtualAddress;

/** What a router is at, as people and as programs read it. */
public final class StatusText {

    private static final List<String> HEAD = List.of("TENANT", "USER", "ADDRESS", "DEVICES", "QPS", "REGIONS", "MEMORY",
            "CONNECTIONS", "LISTENERS", "MOVED", "BYTES/S", "WQES/S", "REFUSED", "STATE");
    /** Columns before this one are words. */
    private static final int FIRST_NUMBER = 3;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private StatusText() {
    }

    /** Returns some lines and a table. */
    public static String table(RouterStatus status) {
        StringBuilder out = new StringBuilder();
        out.append("host ").append(status.host()).append(", process ").append(status.pid()).append(", ")
                .append(status.draining() ? "draining" : "serving").append(", spin ").append(lower(status.spin()))
                .append(status.awake() ? " (awake)" : " (asleep)").append('\n');
        out.append("control plane: epoch ").append(status.epoch()).append(", answered ").append(status.confirmedMs())
                .append(" ms ago").append(status.trouble() == null ? "" : ", trouble: " + status.trouble())
                .append('\n');
        out.append("devices ").append(status.devices()).append(", connections ").append(status.connections())
                .append(", connecting ").append(status.connecting()).append(", listeners ").append(status.listeners())
                .append('\n');
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        status.tenants().forEach(tenant -> rows.add(row(tenant)));
        print(rows, out);
        return out.toString();
    }

    private static List<String> row(RouterStatus.OfTenant tenant) {
        return List.of(tenant.id().name(), Integer.toString(tenant.user()),
                tenant.addresses().isEmpty() ? "-"
                        : tenant.addresses().stream().map(VirtualAddress::text).collect(Collectors.joining(",")),
                count(tenant, QuotaKind.DEVICES), count(tenant, QuotaKind.QPS), count(tenant, QuotaKind.REGIONS),
                bytes(tenant.has(QuotaKind.BYTES)) + "/" + bytes(tenant.quota().bytes()),
                count(tenant, QuotaKind.CONNECTIONS), count(tenant, QuotaKind.LISTENERS), bytes(tenant.bytes()),
                bytes(tenant.bytesPerSecond()), Long.toString(tenant.wqesPerSecond()),
                Long.toString(tenant.refused()),
                tenant.revoked() ? "revoked" : tenant.unserved() == null ? "served" : tenant.unserved());
    }

    private static String count(RouterStatus.OfTenant tenant, QuotaKind kind) {
        return tenant.has(kind) + "/" + tenant.quota().of(kind);
    }

    /** Returns a number of bytes in a unit in which it has one to four digits. */
    static String bytes(long bytes) {
        int unit = 0;
        double count = bytes;
        while (count >= 1024 && unit < UNITS.length - 1) {
            count /= 1024;
            unit++;
        }
        return (count == Math.rint(count) ? Long.toString((long) count) : String.format(Locale.ROOT, "%.1f", count))
                + UNITS[unit];
    }

    private static void print(List<List<String>> rows, StringBuilder out) {
        int[] width = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < width.length; i++) {
                boolean number = i >= FIRST_NUMBER && i < width.length - 1;
                line.append(i == 0 ? "" : "  ")
                        .append(String.format("%" + (number ? "" : "-") + width[i] + "s", row.get(i)));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    /** Returns one object of JSON; rates and limits are as in the control plane, 0 being none. */
    public static String json(RouterStatus status) {
        StringJoiner tenants = new StringJoiner(",\n", "[\n", "\n]");
        status.tenants().forEach(tenant -> tenants.add(json(tenant)));
        return "{\"host\":" + quote(status.host()) + ",\"pid\":" + status.pid() + ",\"spin\":"
                + quote(lower(status.spin())) + ",\"awake\":" + status.awake() + ",\"draining\":" + status.draining()
                + ",\"epoch\":" + status.epoch() + ",\"confirmedMs\":" + status.confirmedMs() + ",\"trouble\":"
                + quote(status.trouble()) + ",\"devices\":" + status.devices() + ",\"connections\":"
                + status.connections() + ",\"connecting\":" + status.connecting() + ",\"listeners\":"
                + status.listeners() + ",\"tenants\":"
                + (status.tenants().isEmpty() ? "[]" : tenants.toString()) + "}\n";
    }

    private static String json(RouterStatus.OfTenant tenant) {
        Map<QuotaKind, Long> has = tenant.has();
        StringJoiner held = new StringJoiner(",", "{", "}");
        StringJoiner limits = new StringJoiner(",", "{", "}");
        for (QuotaKind kind : QuotaKind.values()) {
            held.add(quote(lower(kind)) + ":" + has.getOrDefault(kind, 0L));
            limits.add(quote(lower(kind)) + ":" + tenant.quota().of(kind));
        }
        limits.add("\"bytesPerSecond\":" + tenant.quota().bytesPerSecond());
        limits.add("\"wqesPerSecond\":" + tenant.quota().wqesPerSecond());
        limits.add("\"offloadWqesPerSecond\":" + tenant.quota().offloadWqesPerSecond());
        limits.add("\"weight\":" + tenant.quota().weight());
        return "{\"name\":" + quote(tenant.id().name()) + ",\"user\":" + tenant.user() + ",\"addresses\":"
                + tenant.addresses().stream().map(address -> quote(address.text()))
                        .collect(Collectors.joining(",", "[", "]"))
                + ",\"revoked\":" + tenant.revoked() + ",\"unserved\":" + quote(tenant.unserved()) + ",\"has\":" + held
                + ",\"limits\":" + limits + ",\"bytes\":" + tenant.bytes() + ",\"wqes\":" + tenant.wqes()
                + ",\"bytesPerSecond\":" + tenant.bytesPerSecond() + ",\"wqesPerSecond\":" + tenant.wqesPerSecond()
                + ",\"refused\":" + tenant.refused() + "}";
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String quote(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
