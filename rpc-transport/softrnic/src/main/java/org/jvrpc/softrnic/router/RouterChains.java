package org.jvrpc.softrnic.router;

import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.VerbsException;

/**
 * The chains of a protection domain, which the router runs. Those of a router before count as executed as far as they
 * were asked for. Any thread.
 */
public final class RouterChains implements Chains {

    private final RouterHost host;
    private final int pd;
    /** What {@link #limitRate} said last, for the next router. Guarded by the host's monitor, as is the next. */
    private ChainsNote limit;
    private boolean cutOff;
    private long before;
    private long executed;

    RouterChains(RouterHost host, int pd) {
        this.host = host;
        this.pd = pd;
    }

    int pd() {
        return pd;
    }

    /** Makes them at a router. With the host's monitor. */
    void open(Announced.Asker router) {
        before += executed;
        executed = 0;
        router.ask("chains", ChainsNote.of(ChainsNote.OPEN, pd)::frame);
        if (limit != null) {
            router.ask("chains", limit::frame);
        }
        if (cutOff) {
            router.ask("chains", ChainsNote.of(ChainsNote.CUT_OFF, pd)::frame);
        }
    }

    @Override
    public void limitRate(long wqesPerSecond, int burst) {
        if (wqesPerSecond < 1 || burst < 1) {
            throw new IllegalArgumentException("wqesPerSecond=" + wqesPerSecond + " burst=" + burst
                    + " must be at least 1");
        }
        synchronized (host) {
            limit = new ChainsNote(ChainsNote.LIMIT, pd, wqesPerSecond, burst);
            tell(limit);
        }
    }

    /** Asks, where there is a router; else it is said to the next one. */
    private void tell(ChainsNote note) {
        try {
            note(host.ask("chains", note::frame));
        } catch (RefusalException e) {
            if (host.now() != null) {
                throw e;
            }
        }
    }

    private void note(ControlFrame answer) {
        try {
            ChainsNote.State state = ChainsNote.State.decode(answer);
            executed = Math.max(executed, state.executed());
            cutOff |= state.cutOff();
        } catch (FrameException e) {
            throw new VerbsException("chains", "the router's answer is none: " + e.getMessage(), e);
        }
    }

    @Override
    public long executed() {
        synchronized (host) {
            tell(ChainsNote.of(ChainsNote.LOOK, pd));
            return before + executed;
        }
    }

    @Override
    public void cutOff() {
        synchronized (host) {
            cutOff = true;
            tell(ChainsNote.of(ChainsNote.CUT_OFF, pd));
        }
    }

    @Override
    public boolean isCutOff() {
        synchronized (host) {
            if (!cutOff) {
                tell(ChainsNote.of(ChainsNote.LOOK, pd));
            }
            return cutOff;
        }
    }

    @Override
    public boolean prefetches() {
        return false;
    }

    /** Reports nothing: this process executes none of them. @throws VerbsException for a tracer */
    @Override
    public void trace(ChainTracer tracer) {
        if (tracer != null) {
            throw new VerbsException("chains", "the router executes them, and tells nobody of each WQE: pd=" + pd);
        }
    }
}
