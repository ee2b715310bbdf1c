package org.jvrpc.runtime.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;

/** The message for two versions of a service that have nothing in common. */
final class Differences {

    private static final int MAX_NAMED = 8;
    private static final int MAX_CHARS = 200;

    private Differences() {
    }

    static String of(ServiceDescriptor<?> server, ServiceSchema client) {
        Set<String> own = new TreeSet<>();
        server.methods().stream().map(MethodDescriptor::signature).forEach(own::add);
        Set<String> theirs = new TreeSet<>();
        client.methods().stream().map(MethodSchema::signature).forEach(theirs::add);
        List<String> ownOnly = own.stream().filter(signature -> !theirs.contains(signature)).toList();
        List<String> theirsOnly = theirs.stream().filter(signature -> !own.contains(signature)).toList();
        List<String> named = new ArrayList<>();
        ownOnly.stream().limit(Math.max(MAX_NAMED / 2, MAX_NAMED - theirsOnly.size()))
                .forEach(signature -> named.add("server has " + brief(signature)));
        theirsOnly.stream().limit(MAX_NAMED - named.size())
                .forEach(signature -> named.add("client has " + brief(signature)));
        String methods = named.isEmpty() ? "the registered classes of object graphs" : String.join("; ", named)
                + (named.size() < ownOnly.size() + theirsOnly.size() ? "; …" : "");
        return String.format(
                "interface of service name=%s differs: server fingerprint=%016x client fingerprint=%016x: %s",
                server.name(), server.fingerprint(), client.fingerprint(), methods);
    }

    private static String brief(String signature) {
        return signature.length() <= MAX_CHARS ? signature : signature.substring(0, MAX_CHARS) + "…";
    }
}
