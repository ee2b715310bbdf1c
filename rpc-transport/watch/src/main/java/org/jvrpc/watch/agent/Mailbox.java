package org.jvrpc.watch.agent;

import java.nio.ByteBuffer;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.probe.ProbeSeal;

/** Writes what an agent sends, and keeps how much it refused. One thread. */
final class Mailbox {

    final AgentInfo self;
    final ProbeTransport transport;
    final ProbeSeal seal;
    private final ByteBuffer out;

    int forged;
    int replayed;
    int versions;
    final int[] byVersion = new int[256];
    /** From nobody in the registry, or for somebody else. */
    long unlisted;
    /** With a wrong pattern behind a right seal. */
    long damaged;
    /** Of those who ask too often. */
    long notAnswered;
    long answered;
    /** What the transport's queue had no room for. */
    long full;

    Mailbox(AgentInfo self, ProbeTransport transport, ProbeKeys keys) {
        this.self = self;
        this.transport = transport;
        this.seal = new ProbeSeal(keys);
        this.out = ByteBuffer.allocate(Math.max(ProbeLayout.BYTES, Math.min(transport.maxBytes(), 0xffff)));
    }

    /** Sends the probe. */
    boolean probe(Probe probe, int length) {
        ProbeLayout.write(out, ProbeLayout.PROBE, length, self.id(), probe.peer.info.id(), self.incarnation());
        ProbeLayout.write(out, probe.sequence, probe.flow, probe.size, 0, probe.serviceLevel, probe.nonce, 0);
        return send(probe.peer, probe.flow, probe.serviceLevel, probe.number << 1);
    }

    /** Sends an answer of so many bytes. @param cookie comes back when it has left, below 0 */
    boolean answer(int kind, int length, int flags, Answer answer, long value, long cookie) {
        Peer peer = answer.peer();
        ProbeLayout.write(out, kind, Math.min(length, out.capacity()), peer.info.id(), self.id(),
                peer.info.incarnation());
        ProbeLayout.write(out, answer.sequence(), answer.flow(), answer.size(), flags, answer.serviceLevel(),
                answer.nonce(), value);
        return send(peer, answer.flow() % transport.flows(), answer.serviceLevel(), cookie);
    }

    private boolean send(Peer peer, int flow, int serviceLevel, long cookie) {
        seal.seal(out);
        boolean sent = transport.send(peer.handle, flow, serviceLevel, out, cookie);
        full += sent ? 0 : 1;
        return sent;
    }

    /** Tells whether bytes are for this agent's eyes; counts what is not. */
    boolean accepts(ByteBuffer payload) {
        switch (seal.check(payload)) {
            case GENUINE -> {
                return true;
            }
            case OTHER_VERSION -> {
                versions++;
                byVersion[ProbeLayout.version(payload)]++;
            }
            case FORGED -> forged++;
            case NO_PROBE -> unlisted++;
        }
        return false;
    }
}
