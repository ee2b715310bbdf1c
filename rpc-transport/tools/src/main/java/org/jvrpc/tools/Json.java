package org.jvrpc.tools;

import java.util.List;
import java.util.Locale;
import org.jvrpc.tools.host.Area;
import org.jvrpc.tools.host.Finding;
import org.jvrpc.tools.selftest.Outcome;

/** What {@code --json} prints: one object, made by hand, as nothing else here needs a library for it. */
final class Json {

    private Json() {
    }

    /** {@code {"shm":true,"rdma":false,"roce":true,"checks":[{"area":…,"check":…,"mark":…,"text":…,"cure":…},…]}}. */
    static String of(Doctor doctor) {
        StringBuilder out = new StringBuilder("{\"shm\":").append(doctor.works(Area.SHM))
                .append(",\"rdma\":").append(doctor.works(Area.RDMA))
                .append(",\"roce\":").append(doctor.works(Area.ROCE)).append(",\"checks\":[");
        String separator = "\n";
        for (Finding finding : doctor.findings()) {
            out.append(separator).append("{\"area\":").append(quote(lower(finding.area())))
                    .append(",\"check\":").append(quote(finding.check()))
                    .append(",\"mark\":").append(quote(lower(finding.mark())))
                    .append(",\"text\":").append(quote(finding.text()))
                    .append(",\"cure\":").append(quote(finding.cure())).append("}");
            separator = ",\n";
        }
        return out.append("\n]}").toString();
    }

    /** {@code {"address":…,"ok":…,"steps":[{"step":…,"outcome":…,"text":…},…]}}. */
    static String of(String address, boolean ok, List<Outcome> outcomes) {
        StringBuilder out = new StringBuilder("{\"address\":").append(quote(address)).append(",\"ok\":").append(ok)
                .append(",\"steps\":[");
        String separator = "\n";
        for (Outcome outcome : outcomes) {
            out.append(separator).append("{\"step\":").append(quote(outcome.step()))
                    .append(",\"outcome\":").append(quote(lower(outcome.kind())))
                    .append(",\"text\":").append(quote(outcome.text())).append("}");
            separator = ",\n";
        }
        return out.append("\n]}").toString();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
