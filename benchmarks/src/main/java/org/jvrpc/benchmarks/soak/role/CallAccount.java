package org.jvrpc.benchmarks.soak.role;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.benchmarks.soak.audit.Audit;
import org.jvrpc.benchmarks.soak.audit.CallEnd;
import org.jvrpc.benchmarks.soak.audit.CallKind;
import org.jvrpc.benchmarks.soak.audit.Journal;
import org.jvrpc.benchmarks.soak.audit.Notes;

/** Begins and ends calls in the journal, and judges by itself what only the client can. Any thread. */
final class CallAccount {

    /** How much later than its deadline a call may end: what a stopped process and a busy machine take. */
    private static final long LATE_NS = 15_000_000_000L;

    private final Journal journal;
    private final Notes notes;
    private final int place;
    private final AtomicLong underWay = new AtomicLong();

    CallAccount(Environs environs) {
        this.journal = environs.journal();
        this.notes = environs.notes();
        this.place = environs.place().number();
    }

    /** A call from its begin to its end. */
    final class Call {

        private final Target target;
        private final CallKind kind;
        private final long id;
        private final long endNs;
        private volatile boolean mayCancel;

        private Call(long id, Target target, CallKind kind, int deadline) {
            this.id = id;
            this.target = target;
            this.kind = kind;
            this.endNs = System.nanoTime() + Target.DEADLINES_MS[deadline] * 1_000_000L;
        }

        long id() {
            return id;
        }

        /** Its caller gives it up, or is interrupted. */
        void mayCancel() {
            mayCancel = true;
        }

        void answered(boolean right) {
            if (!right) {
                notes.add(this + " got a wrong answer");
            }
            end(right ? CallEnd.OK : CallEnd.WRONG);
        }

        void refused(CampaignService.RefusedException e) {
            boolean right = kind == CallKind.REFUSE && Answers.refusal(id).equals(e.getMessage());
            if (!right) {
                notes.add(this + " was refused", e);
            }
            end(right ? CallEnd.REFUSED : CallEnd.WRONG);
        }

        void failed(Throwable thrown) {
            Throwable e = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            if (e instanceof CampaignService.RefusedException refusal) {
                refused(refusal);
            } else if (mayCancel && (e instanceof CancellationException || isCancelled(e))) {
                end(CallEnd.CANCELLED);
            } else {
                end(endOf(e));
            }
        }

        private CallEnd endOf(Throwable e) {
            Optional<CallEnd> end = e instanceof RpcException failure ? CallEnd.of(failure.status()) : Optional.empty();
            if (end.isEmpty()) {
                notes.add(this + " failed", e);
                return CallEnd.WRONG;
            }
            boolean bySelf = end.get() == CallEnd.UNAVAILABLE && target.isClosed();
            return bySelf ? CallEnd.CLOSED : checked(end.get(), e);
        }

        /** The auditor judges by the journal, which has no room for the reason. */
        private CallEnd checked(CallEnd end, Throwable e) {
            String wrong = Audit.judge(end, kind, journal.runs(id), target.server(), false);
            if (wrong != null) {
                notes.add(this + " " + wrong, e);
            }
            return end;
        }

        private void end(CallEnd end) {
            long lateNs = System.nanoTime() - endNs;
            CallEnd before = journal.end(id, end);
            underWay.decrementAndGet();
            if (before != CallEnd.STARTED) {
                notes.add(this + " ended twice: " + before + ", then " + end);
            }
            if (lateNs > LATE_NS) {
                notes.add(this + " ended " + lateNs / 1_000_000 + " ms after its deadline: " + end);
            }
        }

        @Override
        public String toString() {
            return Journal.text(id) + ' ' + kind + " to " + target.server();
        }
    }

    private static boolean isCancelled(Throwable e) {
        return e instanceof RpcException failure && failure.status() == Status.CANCELLED;
    }

    /** Begins a call, or returns null when there have been enough in this round. */
    Call begin(Target target, CallKind kind, int deadline) {
        underWay.incrementAndGet();
        long id = journal.begin(place, kind, target.server());
        if (id < 0) {
            underWay.decrementAndGet();
            return null;
        }
        return new Call(id, target, kind, deadline);
    }

    /** Returns how many calls have not ended. */
    long underWay() {
        return underWay.get();
    }
}
