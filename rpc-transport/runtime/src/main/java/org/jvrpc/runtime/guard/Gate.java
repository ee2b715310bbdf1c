package org.jvrpc.runtime.guard;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * What everything passes that comes by one link: it says whose it is, and whether they may. The link's thread asks; any
 * thread begins, looks and ends.
 */
public final class Gate implements AutoCloseable {

    private final Guard guard;
    private final long session;
    private final Who who;
    private final Consumer<String> end;
    private final boolean watching;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    /** Its account counts it no more. */
    private final AtomicBoolean left = new AtomicBoolean();
    /** Streams that go on. */
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    /** Of who the transport says it is. */
    private volatile Pass own;
    /** Why nothing passes any more, once it does not. */
    private final AtomicReference<String> trouble = new AtomicReference<>();

    private enum State { NEW, BEGUN, OVER }

    Gate(Guard guard, long session, Who who, Consumer<String> end) {
        this.guard = guard;
        this.session = session;
        this.who = who;
        this.end = end;
        this.watching = guard.watches();
    }

    /** Returns false when calls need not ask: everybody may everything. */
    public boolean isWatching() {
        return watching;
    }

    /** Returns who the transport says is at the other end. Any thread. */
    public RpcPrincipal principal() {
        return who.principal();
    }

    /** The session begins. Once, and not when it is over; any thread. */
    public void begin() {
        if (!state.compareAndSet(State.NEW, State.BEGUN)) {
            return; // it ended first
        }
        try {
            enter();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** As {@link #begin()}, and what follows; where that fails, the session is over. */
    public void begin(Runnable then) {
        begin();
        try {
            then.run();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void enter() {
        if (watching) {
            RpcPrincipal principal = who.principal();
            own = new Pass(principal, guard.accountOfSession(principal));
            if (state.get() == State.OVER) {
                leaveAccount(); // whoever closed it may have seen no account
            }
        }
        guard.began(this, who.expires());
        if (state.get() == State.OVER) {
            guard.ended(this);
            return;
        }
        note(AuditEvent.Kind.CONNECT, null);
        String refusal = guard.revocation(who); // since they were let in, perhaps
        if (refusal == null && account() != null) {
            refusal = account().sessionsOver(); // others came since they were let in
        }
        if (refusal != null) {
            expel(refusal);
        }
    }

    /** The session is over. Idempotent; any thread. */
    @Override
    public void close() {
        if (state.getAndSet(State.OVER) == State.BEGUN) {
            guard.ended(this);
            leaveAccount();
            note(AuditEvent.Kind.DISCONNECT, null);
        }
    }

    private Account account() {
        Pass pass = own;
        return pass == null ? null : pass.account();
    }

    private void leaveAccount() {
        if (account() != null && left.compareAndSet(false, true)) {
            account().removeSession();
        }
    }

    private void note(AuditEvent.Kind kind, String target) {
        if (guard.audits()) {
            guard.add(new AuditEvent(kind, who.principal(), session, who.host(), target, Status.OK, null));
        }
    }

    // ---- bytes of those who make no calls

    /** Returns false when nobody counts what is received. */
    public boolean isMetered() {
        return guard.meters();
    }

    /** Returns false while the session's principal has to wait before more is received. After it began. */
    public boolean mayReceive() {
        Account account = account();
        return account == null || account.mayReceive(guard.nanoTime());
    }

    /** So many bytes were received. After it began. */
    public void received(int bytes) {
        Account account = account();
        if (account != null) {
            account.received(bytes);
        }
    }

    // ---- questions

    /** Makes what is to be asked with for each call of a method. */
    public Access call(MethodDescriptor method) {
        return new Access(Access.Step.CALL, method.service(), method, who.host());
    }

    /**
     * A service is to be opened.
     *
     * @param metadata what came beside, or null
     * @throws RpcException when it may not be
     */
    public void open(String service, Metadata metadata) {
        Access access = new Access(Access.Step.OPEN, service, null, who.host());
        Pass pass = identify(access, metadata);
        try {
            guard.ask(pass.principal(), access);
        } catch (RpcException e) {
            guard.refused(pass.principal(), session, access, e);
            throw e;
        }
        if (guard.audits()) {
            guard.add(new AuditEvent(AuditEvent.Kind.OPEN, pass.principal(), session, who.host(), service,
                    Status.OK, null));
        }
    }

    /**
     * Returns true when the program that answers a method is theirs to use, who shows nothing but what the link does.
     */
    public boolean mayRunProgram(MethodDescriptor method) {
        return guard.told().mayTell(who, method);
    }

    /**
     * A call is to be made, of which not all has come: those who show nothing by the call itself are asked about before
     * it is fetched.
     *
     * @throws RpcException when they may not
     */
    public void expect(Access access) {
        Pass pass = identify(access, null);
        try {
            guard.ask(pass.principal(), access);
        } catch (RpcException e) {
            guard.refused(pass.principal(), session, access, e);
            throw e;
        }
    }

    /**
     * A call is to be made. Where it may be, its pass is to be ended when it is over.
     *
     * @param access of {@link #call}
     * @param metadata what came beside, or null
     * @param bytes how long the arguments are, with what came beside
     * @throws RpcException when it may not be
     */
    public Pass enter(Access access, Metadata metadata, long bytes) {
        Pass pass = identify(access, metadata);
        try {
            guard.ask(pass.principal(), access);
            pass = count(pass, bytes);
        } catch (RpcException e) {
            guard.refused(pass.principal(), session, access, e);
            throw e;
        }
        if (guard.auditsCalls()) {
            guard.add(new AuditEvent(AuditEvent.Kind.CALL, pass.principal(), session, who.host(),
                    access.method().fullName(), Status.OK, null));
        }
        return pass;
    }

    /**
     * A stream is to be opened. Its principal is looked at as long as it lasts, and the link ends when they are not
     * welcome any more.
     *
     * @throws RpcException when it may not be
     */
    public Held stream(MethodDescriptor method, Metadata metadata, long bytes) {
        Access access = new Access(Access.Step.STREAM, method.service(), method, who.host());
        Held stream = new Held(this, access, enter(access, metadata, bytes));
        held.add(stream);
        guard.watch(stream.principal());
        try {
            guard.expectNotRevoked(stream.principal()); // after it is held, as who revokes looks at what is
        } catch (RpcException e) {
            stream.close();
            guard.refused(stream.principal(), session, access, e);
            throw e;
        }
        return stream;
    }

    /** Something that goes on, and was let in. */
    public static final class Held implements AutoCloseable {

        private final Gate gate;
        private final Access access;
        private final Pass pass;
        private final AtomicBoolean over = new AtomicBoolean();

        private Held(Gate gate, Access access, Pass pass) {
            this.gate = gate;
            this.access = access;
            this.pass = pass;
        }

        public RpcPrincipal principal() {
            return pass.principal();
        }

        /** Returns what it was let in with, which ends with this. */
        public Pass pass() {
            return pass;
        }

        /** It is over. Idempotent; any thread. */
        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                gate.held.remove(this);
                pass.end();
            }
        }
    }

    /** Says whose something is. @throws RpcException UNAUTHENTICATED where what is shown is worth nothing */
    private Pass identify(Access access, Metadata metadata) {
        Pass transport = own();
        try {
            if (trouble.get() != null) {
                throw RpcException.notRun(Status.UNAUTHENTICATED, trouble.get());
            }
            expectFresh(transport.principal());
            String shown = guard.tokens() == null || metadata == null ? null : metadata.get(CallCredentials.NAME);
            return shown == null ? transport : guard.tokens().of(shown);
        } catch (RpcException e) {
            guard.refused(transport.principal(), session, access, e);
            throw e;
        }
    }

    private Pass own() {
        Pass pass = own;
        if (pass == null) {
            pass = new Pass(who.principal(), null);
            own = pass;
        }
        return pass;
    }

    private void expectFresh(RpcPrincipal principal) {
        if (principal.expiresAt() != null && principal.isExpired(guard.now())) {
            throw RpcException.notRun(Status.UNAUTHENTICATED, principal + " expired at " + principal.expiresAt());
        }
    }

    private Pass count(Pass pass, long bytes) {
        Pass counted = pass;
        while (counted.account() != null) {
            String refusal = counted.account().enter(bytes, guard.nanoTime());
            if (refusal == null) {
                break;
            }
            if (!refusal.equals(Account.CLOSED)) {
                throw RpcException.notRun(Status.RESOURCE_EXHAUSTED, refusal);
            }
            counted = guard.renewed(counted); // it had said nothing for a while
        }
        return counted;
    }

    // ---- those who are not welcome any more

    /** Ends the link where its principal, or one of what goes on, is one of these. Any thread. */
    void revoke(Revocation revocation) {
        expelIf(revocation.refusal(who.principal()));
        for (Held each : held) {
            expelIf(revocation.refusal(each.principal()));
        }
    }

    private void expelIf(String refusal) {
        if (refusal != null) {
            expel(refusal);
        }
    }

    /** Looks whether they still may. Any thread. */
    void look(Instant now, boolean asks) {
        if (trouble.get() != null || !watching && !who.expires()) {
            return;
        }
        look(who.principal(), new Access(Access.Step.CONNECT, null, null, who.host()), now, asks);
        for (Held each : held) {
            look(each.principal(), each.access, now, asks);
        }
    }

    private void look(RpcPrincipal principal, Access access, Instant now, boolean asks) {
        if (principal.isExpired(now)) {
            expel(principal + " expired at " + principal.expiresAt());
            return;
        }
        try {
            if (asks) {
                guard.ask(principal, access);
            }
        } catch (RpcException e) {
            if (e.status() != Status.INTERNAL) { // an authorizer that fails says nothing, and is asked for each call
                expel(e.getMessage());
            }
        }
    }

    private void expel(String why) {
        if (trouble.compareAndSet(null, why)) {
            if (guard.audits()) {
                guard.add(new AuditEvent(AuditEvent.Kind.EXPULSION, who.principal(), session, who.host(), null,
                        Status.UNAUTHENTICATED, why));
            }
            end.accept(why);
        }
    }
}
