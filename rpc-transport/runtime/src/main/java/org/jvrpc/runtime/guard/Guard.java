package org.jvrpc.runtime.guard;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what at one server: see {@link Gate}, of which each link has one. A server that was told nothing has one,
 * too, which asks nobody and lets everybody in, until somebody is revoked. Any thread.
 */
public final class Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final long LOG_PERIOD_NS = 10_000_000_000L;

    private final Authorizer authorizer;
    private final Tokens tokens;
    private final Accounts accounts;
    private final Audit audit;
    private final boolean auditsCalls;
    private final boolean audits;
    private final boolean meters;
    private final Clock clock;
    private final Supplier<Instant> now;
    private final Set<Gate> gates = ConcurrentHashMap.newKeySet();
    private final List<Revocation> revoked = new CopyOnWriteArrayList<>();
    private final ToldPrograms told = new ToldPrograms(this::mayRunProgram);
    private final AtomicInteger revocations = new AtomicInteger();
    private final List<Runnable> also = new CopyOnWriteArrayList<>();
    private final LogLimit logLimit = new LogLimit(LOG_PERIOD_NS);
    private final Rounds rounds;

    /** @param name of the server, for threads */
    public Guard(GuardOptions options, Environment environment, String name) {
        this(options, environment, name, Instant::now);
    }

    Guard(GuardOptions options, Environment environment, String name, Supplier<Instant> now) {
        this.authorizer = options.authorizer;
        this.clock = environment.clock();
        this.now = now;
        this.accounts = options.limits == null ? null : new Accounts(options.limits, clock);
        this.tokens = options.verifier == null ? null
                : new Tokens(options.verifier, now, this::pass, this::expectNotRevoked, TokenVerifier.KEPT);
        this.audit = new Audit(options.audit);
        this.audits = options.audit != null;
        this.meters = options.limits != null && options.limits.bytesPerSecond() != 0;
        this.auditsCalls = options.audit != null && options.auditCalls;
        this.rounds = new Rounds(this, environment, "jvrpc-guard-" + name, options.recheckNs);
    }

    /** Returns true when calls are to pass their gates. */
    public boolean watches() {
        return authorizer != null || tokens != null || accounts != null || auditsCalls;
    }

    /** Begins what is done now and then, where there is something to do. */
    public void start() {
        if (authorizer != null || accounts != null) {
            rounds.begin();
        }
    }

    /** Ends that. Idempotent. */
    @Override
    public void close() {
        rounds.end();
    }

    /**
     * Somebody wants a session.
     *
     * @throws RpcException when they may have none
     */
    public void connect(Who who) {
        boolean asks = authorizer != null || accounts != null || !revoked.isEmpty();
        if (!asks && !audits && !watches()) {
            return;
        }
        RpcPrincipal principal = who.principal(); // now: of a peer that has gone it cannot be told any more
        if (!asks) {
            return;
        }
        Access access = new Access(Access.Step.CONNECT, null, null, who.host());
        try {
            expectNotRevoked(principal);
            ask(principal, access);
            String refusal = accounts == null ? null : accounts.of(principal).sessionRefusal();
            if (refusal != null) {
                throw RpcException.notRun(Status.RESOURCE_EXHAUSTED, refusal);
            }
        } catch (RpcException e) {
            refused(principal, 0, access, e);
            throw e;
        }
    }

    /**
     * Returns the gate of a link, which is closed until it begins.
     *
     * @param session number of the session
     * @param end ends the link, for a reason that is the peer's to know; any thread, returns at once
     */
    public Gate gate(long session, Who who, Consumer<String> end) {
        return new Gate(this, session, who, end);
    }

    /**
     * Ends all sessions of some principals, and lets them in no more. Tokens of theirs are none any more.
     *
     * @return takes that back, for those who come later
     */
    public AutoCloseable revoke(Predicate<RpcPrincipal> which) {
        Objects.requireNonNull(which, "which");
        Revocation revocation = new Revocation(which, e -> failed("revocation", e), revoked::remove);
        revoked.add(revocation); // before anybody is looked at: who comes meanwhile looks here
        if (tokens != null) {
            tokens.forget(principal -> revocation.refusal(principal) != null);
        }
        for (Gate gate : gates) {
            gate.revoke(revocation);
        }
        revocations.incrementAndGet();
        also.forEach(Runnable::run);
        return revocation;
    }

    // ---- what gates ask for

    /** Returns true where bytes are counted. */
    boolean meters() {
        return meters;
    }

    /** Returns why somebody is not welcome any more, or null; asks nothing where nobody is revoked. */
    String revocation(Who who) {
        for (Revocation each : revoked) {
            String refusal = each.refusal(who.principal());
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** @throws RpcException when somebody is revoked, or may be for all that is known */
    void expectNotRevoked(RpcPrincipal principal) {
        for (Revocation each : revoked) {
            String refusal = each.refusal(principal);
            if (refusal != null) {
                throw RpcException.notRun(Status.UNAUTHENTICATED, refusal);
            }
        }
    }

    /** Asks the authorizer, if there is one. @throws RpcException when it refuses or fails */
    void ask(RpcPrincipal principal, Access access) {
        if (authorizer == null) {
            return;
        }
        String refusal;
        try {
            refusal = authorizer.refusal(principal, access);
        } catch (RpcException e) {
            Status status = e.status() == Status.UNAUTHENTICATED ? e.status() : Status.PERMISSION_DENIED;
            throw RpcException.notRun(status, e.getMessage());
        } catch (Throwable t) { // it is the user's
            failed("authorizer", t);
            throw RpcException.notRun(Status.INTERNAL, "the authorizer failed: " + t.getClass().getName());
        }
        if (refusal != null) {
            throw RpcException.notRun(principal.isKnown() ? Status.PERMISSION_DENIED : Status.UNAUTHENTICATED,
                    principal + " may not " + access.what() + ": " + refusal);
        }
    }

    private void failed(String what, Throwable t) {
        long kept = logLimit.pass(clock.nanoTime());
        if (kept != LogLimit.KEEP_BACK) {
            LOG.error("the {} throws, {} more since the last", what, kept, t);
        }
    }

    Tokens tokens() {
        return tokens;
    }

    /** Returns a pass in place of one whose account is none any more. */
    Pass renewed(Pass pass) {
        accounts.forget(pass.principal(), pass.account());
        return pass(pass.principal());
    }

    /** Something goes on whose principal is to be looked at until it is over. */
    void watch(RpcPrincipal principal) {
        if (principal.expiresAt() != null) {
            rounds.begin();
        }
    }

    Pass pass(RpcPrincipal principal) {
        return new Pass(principal, accounts == null ? null : accounts.of(principal));
    }

    /** Returns true when the program that answers a method is somebody's to use. */
    public boolean mayRunProgram(Who who, MethodDescriptor method) {
        if (authorizer == null && revoked.isEmpty()) {
            return true;
        }
        try {
            expectNotRevoked(who.principal());
            ask(who.principal(), new Access(Access.Step.PROGRAM, method.service(), method, who.host()));
            return true;
        } catch (RpcException e) {
            LOG.debug("no program for {}: {}", who.principal(), e.getMessage());
            return false;
        }
    }

    /** Returns who was told of programs whose hosts ask nobody. */
    public ToldPrograms told() {
        return told;
    }

    /** Returns how many times somebody was revoked. */
    public int revocations() {
        return revocations.get();
    }

    /** Has something done when somebody was revoked, and when the authorizer is asked again. Returns soon. */
    public void alsoLooks(Runnable look) {
        also.add(look);
    }

    /** Returns the account with a session more; null where nothing is counted. */
    Account accountOfSession(RpcPrincipal principal) {
        return accounts == null ? null : accounts.withSession(principal);
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    Instant now() {
        return now.get();
    }

    boolean audits() {
        return audits;
    }

    boolean auditsCalls() {
        return auditsCalls;
    }

    void add(AuditEvent event) {
        audit.add(event);
    }

    void refused(RpcPrincipal principal, long session, Access access, RpcException e) {
        if (audits) {
            audit.add(new AuditEvent(AuditEvent.Kind.REFUSAL, principal, session, access.host(), access.what(),
                    e.status(), e.getMessage()));
        }
    }

    void began(Gate gate, boolean expires) {
        gates.add(gate);
        if (expires) {
            rounds.begin();
        }
    }

    void ended(Gate gate) {
        gates.remove(gate);
    }

    // ---- rounds

    /** Looks who has expired, and, where that is asked for, who may not be here any more. */
    void round(boolean asks) {
        for (Gate gate : gates) {
            gate.look(now.get(), asks);
        }
        if (accounts != null) {
            accounts.sweep();
        }
        if (asks) {
            also.forEach(Runnable::run);
        }
    }

    /** Returns how many sessions there are. */
    int gates() {
        return gates.size();
    }

    /** Returns how many principals have accounts. */
    int accounts() {
        return accounts == null ? 0 : accounts.size();
    }
}
