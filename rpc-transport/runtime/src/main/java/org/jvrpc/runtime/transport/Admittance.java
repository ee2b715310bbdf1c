package org.jvrpc.runtime.transport;

import java.net.InetAddress;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at who wants a session of a server, whatever carries it: what they say, whether they are admitted, and whether
 * there is memory for them, all before any is committed. Who may have none is told why. Control thread.
 */
public final class Admittance {

    private static final Logger LOG = LoggerFactory.getLogger(Admittance.class);

    private final ServerTransport.Server server;
    private final Supplier<String> address;
    private final Protocol protocol;
    private final Admission admission;
    private final SessionBudget budget;

    /** @param address of the server, for messages */
    public Admittance(ServerTransport.Server server, Supplier<String> address, Protocol protocol, Admission admission,
            SessionBudget budget) {
        this.server = server;
        this.address = address;
        this.protocol = protocol;
        this.admission = admission;
        this.budget = budget;
    }

    /** Somebody left before they were served. */
    public static final class LeftException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public LeftException(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Somebody who wants a session. */
    public interface Applicant {

        /** Returns what they say; null where that is no hello. */
        Hello hello();

        /** Returns the address of their host; null for a process of this one. */
        InetAddress host();

        /** Returns by whose number they count; null for those who count among all only. */
        String peer();

        /** Returns false for those who may not be there: they count once they are. */
        default boolean isProven() {
            return true;
        }

        /** Returns who they are, as far as is known. */
        Who who();

        /** Returns what a session takes of memory. */
        Protocol.Cost cost();

        /**
         * Makes the session.
         *
         * @param granted what they asked for, lessened to what there is
         * @param undo has what is given back where this fails
         * @throws LeftException when they have left
         */
        void serve(Hello granted, SessionBudget.Share share, Who who, Undo undo);

        /** Returns the longest {@link Hello#refuse} that they can be told, in bytes. */
        int mostRefusalBytes();

        /** Tells them why they have no session. */
        void refuse(byte[] why);

        /** They left before they were served. */
        default void left() {
            // nothing stays of them
        }
    }

    /** Serves them, or tells them why not. */
    public void admit(Applicant applicant) {
        Undo undo = new Undo();
        try {
            Hello hello = applicant.hello();
            expectAvailable(); // behind what was read: the server may close meanwhile
            check(Status.FAILED_PRECONDITION, Hello.refusal(hello, protocol));
            check(Status.RESOURCE_EXHAUSTED, ask(applicant));
            Who who = applicant.who();
            server.admit(who);
            SessionBudget.Share share = undo.keep(
                    applicant.isProven() ? budget.admit(applicant.peer()) : budget.expect(applicant.peer()));
            applicant.serve(share.grant(hello, applicant.cost()), share, who, undo);
        } catch (LeftException e) {
            Rare.reached("a client leaves before it is served");
            LOG.info("{}: a client left before it was served: {}", address.get(), e.getMessage());
            undo.run();
            applicant.left();
        } catch (RpcException e) {
            undo.run();
            refuse(applicant, e.status(), e.getMessage());
        } catch (RuntimeException | Error e) {
            undo.run();
            Rare.reached("a client cannot be served");
            LOG.warn("{} cannot serve a client", address.get(), e);
            refuse(applicant, Status.RESOURCE_EXHAUSTED, "server cannot: " + e.getMessage());
        }
    }

    /** Fails where the server takes nobody now. @throws RpcException UNAVAILABLE */
    public void expectAvailable() {
        check(Status.UNAVAILABLE, server.unavailable());
    }

    private static void check(Status status, String refusal) {
        if (refusal != null) {
            throw new RpcException(status, refusal);
        }
    }

    private String ask(Applicant applicant) {
        try {
            return admission.refusal(applicant.host());
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: admission of {} failed", address.get(), applicant.peer(), e);
            return "server cannot say whether it admits this client: " + e;
        }
    }

    /** Tells somebody why they have no session. */
    public void refuse(Applicant applicant, Status status, String why) {
        LOG.info("{} refuses a client: {}", address.get(), why);
        applicant.refuse(Hello.refuse(status, why, applicant.mostRefusalBytes()));
    }
}
