package org.jvrpc.router.control;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
            addresses.forEach(address -> nobodys(state, address));
            return put(state, new TenantRecord(id, user, List.copyOf(addresses), quota, List.of(), false, 1));
        };
    }

    private static void nobodys(ControlState state, VirtualAddress address) {
        TenantRecord owner = state.owner(address);
        if (owner != null) {
            throw new IllegalArgumentException("address=" + address + " is tenant=" + owner.id() + "'s");
        }
    }

    /**
     * Gives a tenant addresses, and takes others from it, whose connections end.
     *
     * @param living what is taken may live at a host still: that one ends it once it knows
     */
    public static UnaryOperator<ControlState> addresses(TenantId id, List<VirtualAddress> more,
            List<VirtualAddress> less, boolean living) {
        return state -> {
            TenantRecord was = tenant(state, id);
            Set<VirtualAddress> left = new LinkedHashSet<>(was.addresses());
            for (VirtualAddress address : less) {
                if (!left.remove(address)) {
                    throw new IllegalArgumentException("tenant=" + id + " has no address=" + address);
                }
            }
            if (!living) {
                notLiving(state, id, less);
            }
            for (VirtualAddress address : more) {
                nobodys(state, address);
                left.add(address);
            }
            if (left.isEmpty()) {
                throw new IllegalArgumentException("tenant=" + id + " needs an address");
            }
            return put(state.without(less), new TenantRecord(id, was.user(), List.copyOf(left), was.quota(),
                    was.tokens(), was.revoked(), was.epoch()));
        };
    }

    private static void notLiving(ControlState state, TenantId id, List<VirtualAddress> addresses) {
        List<Home> living = state.living(addresses);
        if (!living.isEmpty()) {
            Home home = living.get(0);
            throw new IllegalArgumentException("tenant=" + id + " address=" + home.address() + " lives at host="
                    + home.host() + " state=" + home.state() + " epoch=" + home.epoch());
        }
    }

    /**
     * Removes a tenant: its tokens, its addresses, and the rules that name it.
     *
     * @param living its addresses may live at a host: its devices end there once that one knows
     */
    public static UnaryOperator<ControlState> delete(TenantId id, boolean living) {
        return state -> {
            TenantRecord was = tenant(state, id);
            if (!living && !was.revoked()) {
                notLiving(state, id, was.addresses());
            }
            return state.without(was.addresses()).without(id).with(state.rules().stream()
                    .filter(rule -> !id.equals(rule.from()) && !id.equals(rule.to())).toList());
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
