package org.jvrpc.router.control;

import java.io.StringReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a text; no object is made of what is not asked for. One thread. */
final class StateReader {

    /** The most characters of a text. */
    static final int MOST = 1 << 20;
    private static final int MOST_DEPTH = 10;
    private static final int SHA256 = 32;
    private static final int LEAST_SALT = 8;
    private static final int MOST_SALT = 64;
    private static final int MOST_PORT = 65_535;

    private final Mistakes mistakes;
    private final Map<TenantId, TenantRecord> tenants = new LinkedHashMap<>();
    private final Map<VirtualAddress, Home> homes = new LinkedHashMap<>();
    private final Map<String, RouterRecord> routers = new LinkedHashMap<>();
    private final Map<VirtualAddress, TenantId> owners = new LinkedHashMap<>();

    private StateReader(String file) {
        mistakes = new Mistakes(file);
    }

    /** Returns what a file says. @throws BadTextException with all that is wrong, each with its line and column */
    static ControlState state(String file, String text) throws BadTextException {
        return new StateReader(file).state(text);
    }

    /** Returns what one object of a text says. @throws BadTextException as {@link #state} */
    static <T> T one(String where, String text, BiFunction<StateReader, Section, T> read) throws BadTextException {
        StateReader reader = new StateReader(where);
        Section root = new Section(reader.mistakes, reader.compose(text), "");
        T made = read.apply(reader, root);
        root.end();
        reader.mistakes.check();
        return made;
    }

    private ControlState state(String text) throws BadTextException {
        Section root = new Section(mistakes, compose(text), "");
        long epoch = root.number("epoch", 1, Long.MAX_VALUE, null);
        root.each("tenants", section -> addTenant(section, epoch));
        root.each("homes", section -> addHome(section, home(section)));
        root.each("routers", section -> addRouter(section, router(section)));
        List<Rule> rules = rules(root);
        root.end();
        mistakes.check();
        return new ControlState(epoch, tenants, homes, routers, rules);
    }

    private Node compose(String text) throws BadTextException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        options.setNestingDepthLimit(MOST_DEPTH);
        options.setCodePointLimit(MOST);
        Node root = null;
        try {
            // JSON may be indented with tabs, which YAML takes for nothing
            root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text.replace('\t', ' ')));
        } catch (MarkedYAMLException e) {
            mistakes.add(e.getProblemMark(), "is no JSON: " + e.getProblem());
        } catch (YAMLException | IllegalArgumentException e) {
            mistakes.add(null, "is no JSON: " + e.getMessage());
        }
        if (root == null) {
            mistakes.add(null, "says nothing");
        }
        mistakes.check();
        return root;
    }

    TenantRecord tenant(Section section, long epoch) {
        TenantId id = section.text("name", true, TenantId::new);
        int user = (int) section.number("user", 0, Integer.MAX_VALUE, null);
        List<VirtualAddress> addresses = section.texts("addresses", VirtualAddress::new);
        List<TokenHash> tokens = new ArrayList<>();
        section.each("tokens", token -> token(token, tokens));
        return new TenantRecord(id, user, List.copyOf(addresses), quota(section.section("quota")),
                List.copyOf(tokens), section.flag("revoked", false), section.number("epoch", 1, epoch, epoch));
    }

    private void addTenant(Section section, long epoch) {
        TenantRecord record = tenant(section, epoch);
        TenantId id = record.id();
        if (id != null && tenants.putIfAbsent(id, record) != null) {
            section.mistake("has the name=" + id + " of another tenant");
        }
        for (VirtualAddress address : record.addresses()) {
            TenantId other = id == null ? null : owners.putIfAbsent(address, id);
            if (other != null) {
                section.mistake("has the address=" + address + ", which is tenant=" + other + "'s");
            }
        }
    }

    private static Quota quota(Section section) {
        Quota least = Quota.DEFAULT;
        if (section == null) {
            return least;
        }
        int most = Integer.MAX_VALUE;
        Quota quota = new Quota((int) section.number("devices", 0, most, (long) least.devices()),
                (int) section.number("qps", 0, most, (long) least.qps()),
                (int) section.number("cqs", 0, most, (long) least.cqs()),
                (int) section.number("regions", 0, most, (long) least.regions()),
                section.number("bytes", 0, Long.MAX_VALUE, least.bytes()),
                (int) section.number("connections", 0, most, (long) least.connections()),
                (int) section.number("listeners", 0, most, (long) least.listeners()),
                section.number("bytesPerSecond", 0, Long.MAX_VALUE, least.bytesPerSecond()),
                section.number("wqesPerSecond", 0, Long.MAX_VALUE, least.wqesPerSecond()),
                section.number("offloadWqesPerSecond", 0, Long.MAX_VALUE, least.offloadWqesPerSecond()),
                (int) section.number("weight", 1, 100, (long) least.weight()));
        section.end();
        return quota;
    }

    private static void token(Section section, List<TokenHash> tokens) {
        String id = section.text("id", true, text -> text);
        byte[] salt = section.text("salt", true, text -> bytes(text, LEAST_SALT, MOST_SALT));
        byte[] sha256 = section.text("sha256", true, text -> bytes(text, SHA256, SHA256));
        Long notAfterMs = section.text("notAfter", true, StateReader::time);
        if (id != null && salt != null && sha256 != null && notAfterMs != null) {
            tokens.add(new TokenHash(id, salt, sha256, notAfterMs));
        }
    }

    private static byte[] bytes(String base64, int least, int most) {
        byte[] bytes = Base64.getDecoder().decode(base64);
        if (bytes.length < least || bytes.length > most) {
            throw new IllegalArgumentException("bytes=" + bytes.length + " in base64, range " + least + " to " + most);
        }
        return bytes;
    }

    private static long time(String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("a time as 2027-01-31T00:00:00Z is needed, not " + text, e);
        }
    }

    Home home(Section section) {
        VirtualAddress address = section.text("address", true, VirtualAddress::new);
        TenantId tenant = section.text("tenant", true, TenantId::new);
        String host = section.text("host", true, StateReader::host);
        long epoch = section.number("epoch", 1, Long.MAX_VALUE, 1L);
        Home.State state = section.text("state", false, Home.State::valueOf);
        return new Home(address, tenant, host, epoch, state == null ? Home.State.SERVING : state);
    }

    private void addHome(Section section, Home home) {
        if (home.address() == null || home.tenant() == null) {
            return;
        }
        if (!home.tenant().equals(owners.get(home.address()))) {
            section.mistake("has the address=" + home.address() + " for tenant=" + home.tenant()
                    + ", which has no such address");
        }
        if (homes.put(home.address(), home) != null) {
            section.mistake("has the address=" + home.address() + " a second time");
        }
    }

    static String host(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,62}")) {
            throw new IllegalArgumentException("host=" + text + " is not [A-Za-z0-9][A-Za-z0-9.-]{0,62}");
        }
        return text;
    }

    RouterRecord router(Section section) {
        return new RouterRecord(section.text("host", true, StateReader::host),
                section.text("control", true, text -> text), section.text("data", true, text -> text),
                section.text("certificateSha256", false, text -> bytes(text, SHA256, SHA256)),
                section.number("incarnation", Long.MIN_VALUE, Long.MAX_VALUE, 0L), section.flag("draining", false),
                (int) section.number("version", 1, 0xffff, 1L));
    }

    private void addRouter(Section section, RouterRecord record) {
        if (record.host() != null && routers.put(record.host(), record) != null) {
            section.mistake("has the host=" + record.host() + " a second time");
        }
    }

    List<Rule> rules(Section root) {
        List<Rule> rules = new ArrayList<>();
        root.each("rules", section -> rules.add(rule(section)));
        return rules;
    }

    private static Rule rule(Section section) {
        TenantId from = section.text("from", false, TenantId::new);
        TenantId to = section.text("to", false, TenantId::new);
        int first = (int) section.number("firstPort", 1, MOST_PORT, 1L);
        int last = (int) section.number("lastPort", 1, MOST_PORT, (long) MOST_PORT);
        if (first > last) {
            section.mistake("has firstPort=" + first + " after lastPort=" + last);
        }
        return new Rule(from, to, first, last, section.flag("allow", true));
    }
}
