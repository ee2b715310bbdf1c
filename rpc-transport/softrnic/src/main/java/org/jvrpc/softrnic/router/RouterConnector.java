package org.jvrpc.softrnic.router;

import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.VerbsException;

/** The active side of connection set-up. Blocks its caller, within a time limit. */
final class RouterConnector {

    private RouterConnector() {
    }

    /** @param meanwhile done while the listener is waited for */
    static RouterConnection run(RouterHost host, RouterAddress to, RouterPort port, byte[] privateData,
            ShmChannel channel, long timeoutNs, Runnable meanwhile) {
        checkPrivate(privateData);
        try {
            ControlFrame answer = ask(host, to, port, privateData, timeoutNs, meanwhile);
            return establish(host, to, port, channel, answer);
        } catch (ConnectionException e) {
            port.qp().error();
            throw e;
        } catch (RefusalException e) {
            port.qp().error();
            throw failure(to, e);
        } catch (VerbsException e) {
            port.qp().error();
            throw new ConnectionException(Reason.LOCAL, to.text() + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) { // of what is done meanwhile
            port.qp().error();
            throw e;
        }
    }

    /** @throws IllegalArgumentException when it is longer than what travels */
    static void checkPrivate(byte[] privateData) {
        if (privateData.length > Device.MAX_PRIVATE_BYTES) {
            throw new IllegalArgumentException("private data is too long: bytes=" + privateData.length + " limit="
                    + Device.MAX_PRIVATE_BYTES);
        }
    }

    private static ControlFrame ask(RouterHost host, RouterAddress to, RouterPort port, byte[] privateData,
            long timeoutNs, Runnable meanwhile) {
        long startNs = System.nanoTime();
        Link router = host.here("connect");
        ConnectNote note = new ConnectNote(to.address(), to.port(), 0, 0, 0, privateData);
        Link.Question question = router.ask("connect", id -> note.frame(id, port.number(), 0));
        meanwhile.run();
        long leftNs = timeoutNs - (System.nanoTime() - startNs);
        ControlFrame answer = router.await("connect", question, leftNs);
        if (answer == null) {
            throw new ConnectionException(Reason.TIMEOUT, to.text() + " did not answer in " + timeoutNs / 1_000_000
                    + " ms", null);
        }
        return answer;
    }

    private static RouterConnection establish(RouterHost host, RouterAddress to, RouterPort port, ShmChannel channel,
            ControlFrame answer) {
        try {
            if (answer.command() == Command.REJECT) {
                throw new ConnectionException(Reason.REJECTED, to.text() + " refused",
                        Offer.decode(answer, Command.REJECT).privateData(), null);
            }
            if (answer.command() != Command.CONNECTED) {
                throw Link.refusal("connect", answer);
            }
            RouterConnection made = new RouterConnection(port, channel, Offer.decode(answer, Command.CONNECTED));
            begin(host, port, made);
            return made;
        } catch (FrameException e) {
            throw new VerbsException("connect", "the router's answer is none: " + e.getMessage(), e);
        }
    }

    /** A connection is made: the QP is used from now on, unless the peer is gone again. */
    static void begin(RouterHost host, RouterPort port, RouterConnection made) {
        port.watchedBy(made);
        try {
            port.established();
        } catch (VerbsException e) {
            made.ended(); // the peer was quicker to end it
        }
        host.device().keep(made);
    }

    private static RuntimeException failure(RouterAddress to, RefusalException e) {
        String text = to.text() + ": " + e.getMessage();
        return switch (e.reason()) {
            case Refused.QUOTA, Refused.NO_MEMORY -> RefusalException.of("connect", text, e);
            case Refused.POLICY, Refused.REVOKED, Refused.NOT_YOURS ->
                new ConnectionException(Reason.FORBIDDEN, text, e);
            case Refused.VERSION -> new ConnectionException(Reason.VERSION, text, e);
            default -> new ConnectionException(Reason.UNREACHABLE, text, e);
        };
    }
}
