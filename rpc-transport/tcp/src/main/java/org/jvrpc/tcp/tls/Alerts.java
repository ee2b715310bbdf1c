package org.jvrpc.tcp.tls;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Says in words what the other side of TLS says by a number. */
final class Alerts {

    private static final Pattern RECEIVED = Pattern.compile(".*Received fatal alert: (\\w+).*");
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("certificate_expired", "this side's certificate has expired"),
            Map.entry("certificate_revoked", "this side's certificate has been revoked"),
            Map.entry("certificate_unknown",
                    "this side's certificate is not trusted, has expired or been revoked, or is not of whom it wanted"),
            Map.entry("unknown_ca", "nobody whom it trusts vouches for this side's certificate"),
            Map.entry("bad_certificate", "this side has shown no certificate that the other side would trust"),
            Map.entry("bad_certificate_status_response", "this side's certificate may have been revoked"),
            Map.entry("certificate_required", "this side has shown no certificate that the other side would trust"),
            Map.entry("protocol_version", "there is no version of TLS in common"),
            Map.entry("handshake_failure", "there is nothing in common to agree upon"),
            Map.entry("unrecognized_name", "it is not of that name"));

    private Alerts() {
    }

    /** Returns the exception, with words where it only names an alert. */
    static SSLException explain(SSLException e) {
        if (String.valueOf(e.getMessage()).contains("Empty client certificate chain")) {
            return made("the client has shown no certificate that anybody vouches for whom this side trusts", e);
        }
        Matcher alert = RECEIVED.matcher(String.valueOf(e.getMessage()));
        if (!alert.matches()) {
            return e;
        }
        String text = TEXTS.get(alert.group(1));
        return made("the other side says" + (text == null ? "" : " that " + text) + ": alert=" + alert.group(1), e);
    }

    private static SSLException made(String text, SSLException cause) {
        SSLException made = new SSLHandshakeException(text);
        made.initCause(cause);
        return made;
    }
}
