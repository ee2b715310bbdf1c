package org.jvrpc.offload.wr;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;

/** A receive whose message starts a program and brings its arguments. Lies in the RQ of its queue. */
public final class TriggerRequest extends WorkRequest {

    private final List<Place> into;

    TriggerRequest(Place... into) {
        this.into = new ArrayList<>(List.of(into));
    }

    @Override
    public WorkRequest more(Place... places) {
        into.addAll(List.of(places));
        return this;
    }

    @Override
    public int opcode() {
        return Wqe.NOP; // it has none, and no ctrl segment
    }

    @Override
    public Kind kind() {
        return Kind.OTHER;
    }

    @Override
    public boolean isSignalled() {
        return true;
    }

    @Override
    public int segments() {
        return into.size();
    }

    @Override
    void encode(long[] words) {
        throw new IllegalStateException("a receive is posted, not loaded");
    }

    @Override
    public List<Place> changes() {
        return into;
    }

    /** Returns the receive, once its program is built. */
    public ReceiveRequest request() {
        Sge[] sges = into.stream()
                .map(place -> new Sge(place.address(), place.length(), place.lkey()))
                .toArray(Sge[]::new);
        return ReceiveRequest.of(0, sges);
    }

    @Override
    public String where() {
        return queue() == null ? "(in no queue)" : queue() + ".RQ[" + (block() < 0 ? "?" : "" + block()) + "]";
    }

    @Override
    public String verb() {
        return "RECV";
    }

    @Override
    public String operands() {
        return PlaceNames.join(into);
    }

    @Override
    public String problem() {
        return into.size() > CopyRequest.MAX_SGES
                ? "SGEs=" + into.size() + ", a receive scatters to at most " + CopyRequest.MAX_SGES : null;
    }
}
