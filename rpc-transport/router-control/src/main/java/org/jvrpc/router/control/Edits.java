package org.jvrpc.router.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;

/** What administrators change. Each throws IllegalArgumentException, with the values, where it cannot. Any thread. */
public final class Edits {

    /** The most tokens of a tenant. */
    public static final int MOST_TOKENS = 16;
    /** The most rules. */
    public static final int MOST_RULES = 4096;

    private Edits() {
    }

    private static TenantRecord tenant(ControlState state, TenantId id) {
        TenantRecord tenant = state.tenants().get(id);
        if (tenant == null) {
            throw new IllegalArgumentException("tenant=" + id + " is not there");
        }
        return tenant;
    }

    private static ControlState put(ControlState state, TenantRecord tenant) {
        return state.with(new TenantRecord(tenant.id(), tenant.user(), tenant.addresses(), tenant.quota(),
                tenant.tokens(), tenant.revoked(), state.epoch() + 1));
    }

    /** Adds a tenant. @param user number of the host's user that its folders belong to */
    public static UnaryOperator<ControlState> create(TenantId id, int user, List<VirtualAddress> addresses,
            Quota quota) {
        return state -> {
            if (state.tenants().containsKey(id)) {
                throw new IllegalArgumentException("tenant=" + id + " is there already");
            }
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("tenant=" + id + " needs an address");
            }
            for (VirtualAddress address : addresses) {
                TenantRecord owner = state.owner(address);
                if (owner != null) {
                    throw new IllegalArgumentException("address=" + address + " is tenant=" + owner.id() + "'s");
                }
            }
            return put(state, new TenantRecord(id, user, List.copyOf(addresses), quota, List.of(), false, 1));
        };
    }

    /** Sets a tenant's quota. */
    public static UnaryOperator<ControlState> quota(TenantId id, UnaryOperator<Quota> change) {
        return state -> {
            TenantRecord was = tenant(state, id);
            return put(state, new TenantRecord(id, was.user(), was.addresses(), change.apply(was.quota()),
                    was.tokens(), was.revoked(), was.epoch()));
        };
    }

    /** Adds a token, of which the hash alone is kept. */
    public static UnaryOperator<ControlState> addToken(TenantId id, TokenHash token) {
        return state -> {
            TenantRecord was = tenant(state, id);
            if (was.tokens().stream().anyMatch(other -> other.id().equals(token.id()))) {
                throw new IllegalArgumentException("tenant=" + id + " has a token=" + token.id() + " already");
            }
            if (was.tokens().size() >= MOST_TOKENS) {
                throw new IllegalArgumentException("tenant=" + id + " has tokens=" + was.tokens().size() + " limit="
                        + MOST_TOKENS);
            }
            List<TokenHash> tokens = new ArrayList<>(was.tokens());
            tokens.add(token);
            return tokens(state, was, tokens);
        };
    }

    /** Removes a token: whoever comes with it from now on is refused. */
    public static UnaryOperator<ControlState> removeToken(TenantId id, String token) {
        return state -> {
            TenantRecord was = tenant(state, id);
            List<TokenHash> tokens = new ArrayList<>(was.tokens());
            if (!tokens.removeIf(one -> one.id().equals(token))) {
                throw new IllegalArgumentException("tenant=" + id + " has no token=" + token);
            }
            return tokens(state, was, tokens);
        };
    }

    private static ControlState tokens(ControlState state, TenantRecord was, List<TokenHash> tokens) {
        return put(state, new TenantRecord(was.id(), was.user(), was.addresses(), was.quota(), List.copyOf(tokens),
                was.revoked(), was.epoch()));
    }

    /** Has a tenant cut off everywhere, or lets it in again. */
    public static UnaryOperator<ControlState> revoke(TenantId id, boolean revoked) {
        return state -> {
            TenantRecord was = tenant(state, id);
            return put(state, new TenantRecord(id, was.user(), was.addresses(), was.quota(), was.tokens(), revoked,
                    was.epoch()));
        };
    }

    /** Adds a rule. @param place before which other one; -1: last */
    public static UnaryOperator<ControlState> addRule(Rule rule, int place) {
        return state -> {
            int at = place < 0 ? state.rules().size() : place;
            if (at > state.rules().size() || state.rules().size() >= MOST_RULES) {
                throw new IllegalArgumentException("place=" + at + " rules=" + state.rules().size() + " limit="
                        + MOST_RULES);
            }
            if (rule.from() != null) {
                tenant(state, rule.from());
            }
            if (rule.to() != null) {
                tenant(state, rule.to());
            }
            List<Rule> rules = new ArrayList<>(state.rules());
            rules.add(at, rule);
            return state.with(rules);
        };
    }

    /** Removes the rule at a place, which must still be this one. */
    public static UnaryOperator<ControlState> removeRule(int place, Rule rule) {
        return state -> {
            if (place < 0 || place >= state.rules().size() || !state.rules().get(place).equals(rule)) {
                throw new IllegalArgumentException("place=" + place + " has not " + Codec.json(rule));
            }
            List<Rule> rules = new ArrayList<>(state.rules());
            rules.remove(place);
            return state.with(rules);
        };
    }

    /** Has the host that has an address cut it off, so that another one may have it. */
    public static UnaryOperator<ControlState> move(VirtualAddress address) {
        return state -> {
            Home home = state.homes().get(address);
            if (home == null || home.host().isEmpty() || home.state() == Home.State.GONE) {
                throw new IllegalArgumentException("address=" + address + " lives nowhere");
            }
            return state.with(new Home(address, home.tenant(), home.host(), home.epoch(), Home.State.MOVING));
        };
    }
}
