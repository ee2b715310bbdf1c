package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.api.schema.Finding.Effect;

/**
 * Says what changed between two versions of services, and for whom that breaks something. The rules are those by which
 * peers of different versions understand each other when they meet. One thread.
 */
public final class SchemaDiff {

    private final String service;
    /** Methods by what changed. */
    private final Map<Change, List<String>> changes = new LinkedHashMap<>();

    private record Change(Effect effect, String text) {
    }

    private SchemaDiff(String service) {
        this.service = service;
    }

    /** Returns what changed, the worst first; services are told apart by their names. */
    public static List<Finding> of(Collection<ServiceSchema> before, Collection<ServiceSchema> after) {
        Map<String, ServiceSchema> old = byName(before);
        Map<String, ServiceSchema> now = byName(after);
        List<Finding> findings = new ArrayList<>();
        old.forEach((name, service) -> findings.addAll(now.containsKey(name)
                ? of(service, now.get(name))
                : List.of(new Finding(Effect.BREAKS_OLD_CLIENTS, name, List.of(), "the service is gone"))));
        now.keySet().stream().filter(name -> !old.containsKey(name)).forEach(name ->
                findings.add(new Finding(Effect.COMPATIBLE, name, List.of(), "the service is new")));
        findings.sort(Comparator.comparingInt((Finding finding) -> finding.effect().ordinal()).reversed());
        return findings;
    }

    private static Map<String, ServiceSchema> byName(Collection<ServiceSchema> services) {
        Map<String, ServiceSchema> all = new TreeMap<>();
        services.forEach(service -> all.put(service.name(), service));
        return all;
    }

    /** Returns what changed between two versions of one service, the worst first. */
    public static List<Finding> of(ServiceSchema before, ServiceSchema after) {
        SchemaDiff diff = new SchemaDiff(after.name());
        diff.compare(before, after);
        return diff.findings();
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        changes.forEach((change, methods) ->
                findings.add(new Finding(change.effect, service, methods, change.text)));
        findings.sort(Comparator.comparingInt((Finding finding) -> finding.effect().ordinal()).reversed());
        return findings;
    }

    private void compare(ServiceSchema before, ServiceSchema after) {
        boolean sameObjects = before.objects() == after.objects();
        for (MethodSchema method : before.methods()) {
            MethodSchema now = after.find(method.key());
            if (now == null) {
                add(Effect.BREAKS_OLD_CLIENTS, method, "a method is gone: their calls fail with UNIMPLEMENTED");
            } else {
                compare(method, Comparison.of(method, now, sameObjects, Sides.VERSIONS));
            }
        }
        after.methods().stream().filter(method -> before.find(method.key()) == null).forEach(method ->
                add(Effect.COMPATIBLE, method, "a method is new: at old servers its calls fail with UNIMPLEMENTED"));
    }

    private void compare(MethodSchema method, Comparison comparison) {
        comparison.breaks().forEach(text -> add(Effect.BREAKS_OLD_PEERS, method, text));
        comparison.lostConstants().forEach(text -> add(Effect.BREAKS_OLD_PEERS, method, text));
        comparison.additions().forEach(text -> add(Effect.COMPATIBLE, method, text));
        comparison.removals().forEach(text -> add(Effect.COMPATIBLE, method, text));
    }

    private void add(Effect effect, MethodSchema method, String text) {
        List<String> methods = changes.computeIfAbsent(new Change(effect, text), change -> new ArrayList<>());
        if (!methods.contains(method.key())) {
            methods.add(method.key());
        }
    }
}
