package org.jvrpc.router.control;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import org.jvrpc.router.Quota;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;

/**
 * The JSON of what routers have to know: of a file that says all, and of the one thing that a znode says. What is
 * unknown, twice, of a wrong kind or out of range is a mistake; all mistakes are told at once. Any thread.
 */
public final class Codec {

    /** The most characters of a text. */
    public static final int MOST = StateReader.MOST;

    private Codec() {
    }

    /** Returns what a file says. @throws BadTextException with each mistake's line and column */
    public static ControlState state(String file, String text) throws BadTextException {
        return StateReader.state(file, text);
    }

    /** Returns a tenant. @param where path of the znode, for messages. @throws BadTextException with each mistake */
    public static TenantRecord tenant(String where, byte[] json) throws BadTextException {
        return StateReader.one(where, text(where, json), (reader, root) -> reader.tenant(root, Long.MAX_VALUE));
    }

    /** Returns rules, as {@link #tenant}. */
    public static List<Rule> rules(String where, byte[] json) throws BadTextException {
        return StateReader.one(where, text(where, json), StateReader::rules);
    }

    /** Returns a home, as {@link #tenant}. @param epoch what is its epoch, whatever the text says */
    public static Home home(String where, byte[] json, long epoch) throws BadTextException {
        Home said = StateReader.one(where, text(where, json), StateReader::home);
        return new Home(said.address(), said.tenant(), said.host(), epoch, said.state());
    }

    /** Returns a router, as {@link #tenant}. */
    public static RouterRecord router(String where, byte[] json) throws BadTextException {
        return StateReader.one(where, text(where, json), StateReader::router);
    }

    /** Tells whether a text can be a host's name: it is a znode's name, too. */
    public static String host(String text) {
        return StateReader.host(text);
    }

    private static String text(String where, byte[] json) throws BadTextException {
        if (json == null || json.length > MOST) {
            throw new BadTextException(where + ": bytes=" + (json == null ? 0 : json.length) + ", range 1 to " + MOST);
        }
        return new String(json, StandardCharsets.UTF_8);
    }

    /** Returns the text of all, sorted, one thing a line. */
    public static String text(ControlState state) {
        List<String> tenants = new ArrayList<>();
        new TreeMap<>(state.tenants()).values().forEach(tenant -> tenants.add(json(tenant)));
        List<String> rules = state.rules().stream().map(Codec::json).toList();
        List<String> homes = state.homes().values().stream().map(Codec::json).sorted().toList();
        List<String> routers = state.routers().values().stream().map(Codec::json).sorted().toList();
        return "{\"epoch\": " + state.epoch() + ",\n \"tenants\": " + lines(tenants) + ",\n \"rules\": " + lines(rules)
                + ",\n \"homes\": " + lines(homes) + ",\n \"routers\": " + lines(routers) + "}\n";
    }

    private static String lines(List<String> items) {
        return items.isEmpty() ? "[]" : "[\n  " + String.join(",\n  ", items) + "]";
    }

    /** Returns a tenant as JSON: without any token, as only their hashes are known. */
    public static String json(TenantRecord tenant) {
        return new JsonObject().text("name", tenant.id().name()).number("user", tenant.user())
                .raw("addresses", JsonObject.texts(tenant.addresses()))
                .raw("quota", json(tenant.quota()))
                .raw("tokens", JsonObject.list(tenant.tokens().stream().map(Codec::json).toList()))
                .flag("revoked", tenant.revoked()).number("epoch", tenant.epoch()).toString();
    }

    /** Returns a quota as JSON. */
    public static String json(Quota quota) {
        return new JsonObject().number("devices", quota.devices()).number("qps", quota.qps())
                .number("cqs", quota.cqs()).number("regions", quota.regions()).number("bytes", quota.bytes())
                .number("connections", quota.connections()).number("listeners", quota.listeners())
                .number("bytesPerSecond", quota.bytesPerSecond()).number("wqesPerSecond", quota.wqesPerSecond())
                .number("offloadWqesPerSecond", quota.offloadWqesPerSecond()).number("weight", quota.weight())
                .toString();
    }

    private static String json(TokenHash token) {
        Base64.Encoder base64 = Base64.getEncoder();
        return new JsonObject().text("id", token.id()).text("salt", base64.encodeToString(token.salt()))
                .text("sha256", base64.encodeToString(token.sha256()))
                .text("notAfter", Instant.ofEpochMilli(token.notAfterMs()).toString()).toString();
    }

    /** Returns rules as the JSON of their znode. */
    public static String json(List<Rule> rules) {
        return new JsonObject().raw("rules", JsonObject.list(rules.stream().map(Codec::json).toList())).toString();
    }

    /** Returns a rule as JSON: what is any tenant is left out. */
    public static String json(Rule rule) {
        JsonObject json = new JsonObject();
        if (rule.from() != null) {
            json.text("from", rule.from().name());
        }
        if (rule.to() != null) {
            json.text("to", rule.to().name());
        }
        return json.number("firstPort", rule.firstPort()).number("lastPort", rule.lastPort())
                .flag("allow", rule.allow()).toString();
    }

    /** Returns a home as JSON. */
    public static String json(Home home) {
        return new JsonObject().text("address", home.address().text()).text("tenant", home.tenant().name())
                .text("host", home.host()).number("epoch", Math.max(1, home.epoch()))
                .text("state", home.state().name()).toString();
    }

    /** Returns a router as JSON. */
    public static String json(RouterRecord router) {
        JsonObject json = new JsonObject().text("host", router.host()).text("control", router.control())
                .text("data", router.data());
        if (router.certificateSha256() != null) {
            json.text("certificateSha256", Base64.getEncoder().encodeToString(router.certificateSha256()));
        }
        return json.number("incarnation", router.incarnation()).flag("draining", router.draining())
                .number("version", router.version()).toString();
    }
}
