package org.jvrpc.interleavings.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * Senders of datagrams that claim a UD QP, and die at any step, as {@code DatagramTarget} has it, on processors that
 * keep order. Each sends one message: it claims the QP, claims a CQE, takes it in hand, publishes it, counts the
 * receive, lets go. Whoever finds a dead one with the claim takes over and puts right what was left: the next sender,
 * or the QP's owner, which does not die.
 */
final class ClaimsModel implements ModelCheck.Model {

    /** What may be done wrong. */
    enum Fault {
        /** The CQ's owner clears the claims of the dead, too. */
        OWNER_OF_CQ_CLEARS,
        /** Whoever takes over clears the dead one's claims before it has written what it makes of them. */
        CLEARED_BEFORE_HAND,
        /** Whoever takes over looks for claims of the last dead one only. */
        ONLY_THE_LAST_DEAD,
        /** The receive is counted before its completion is published. */
        COUNTED_FIRST,
        /** The QP is claimed by a look and a store. */
        CLAIMED_BY_STORE,
        /** The CQE is published before it is taken in hand. */
        NOT_IN_HAND
    }

    private static final int SENDERS = 4;
    private static final int OWNER = SENDERS;
    private static final int DEATHS = 3;
    private static final int SLOTS = SENDERS;

    // claim | receives counted | slot in hand, plus 1 | deaths | slots | of each process: pc, count, slot, whom
    private static final int CLAIM = 0;
    private static final int COUNTED = 1;
    private static final int IN_HAND = 2;
    private static final int DIED = 3;
    private static final int RING = 4;
    private static final int PROCESSES = RING + SLOTS;
    private static final int PC = 0;
    private static final int COUNT = 1;
    private static final int SLOT = 2;
    private static final int WHOM = 3;
    private static final int REGISTERS = 4;

    // Slots: free, nobody's, claimed by a process, published for a receive
    private static final int NOBODYS = 1;
    private static final int CLAIMED = 10;
    private static final int PUBLISHED = 20;

    // Where a process is
    private static final int CLAIMS = 0;
    private static final int STORES_CLAIM = 1;
    private static final int LOOKS = 2;
    private static final int CLAIMS_CQE = 3;
    private static final int TAKES_IN_HAND = 4;
    private static final int PUBLISHES = 5;
    private static final int COUNTS = 6;
    private static final int RELEASES = 7;
    private static final int DECIDES = 8;
    private static final int WRITES_HAND = 9;
    private static final int CLEARS = 10;
    private static final int DONE = 11;
    private static final int DEAD = 12;

    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);

    ClaimsModel(Fault... faults) {
        this.faults.addAll(Set.of(faults));
    }

    @Override
    public int[] initial() {
        return new int[PROCESSES + (SENDERS + 1) * REGISTERS];
    }

    private static int register(int process, int number) {
        return PROCESSES + process * REGISTERS + number;
    }

    private static int pc(int[] state, int process) {
        return state[register(process, PC)];
    }

    private static boolean isDead(int[] state, int process) {
        return process >= 0 && process < SENDERS && pc(state, process) == DEAD;
    }

    private static int[] at(int[] state, int process, int pc) {
        int[] then = state.clone();
        then[register(process, PC)] = pc;
        return then;
    }

    @Override
    public void steps(int[] state, ModelCheck.Next next) {
        for (int process = 0; process <= OWNER; process++) {
            go(state, process, next);
            int pc = pc(state, process);
            if (process != OWNER && state[DIED] < DEATHS && pc != DONE && pc != DEAD) {
                int[] then = at(state, process, DEAD);
                then[DIED]++;
                next.add("sender " + process + " dies", then);
            }
        }
        if (faults.contains(Fault.OWNER_OF_CQ_CLEARS)) {
            for (int slot = 0; slot < SLOTS; slot++) {
                if (isDead(state, state[RING + slot] - CLAIMED)) {
                    int[] then = state.clone();
                    then[RING + slot] = NOBODYS;
                    next.add("the CQ's owner clears slot " + slot, then);
                }
            }
        }
    }

    private void go(int[] state, int process, ModelCheck.Next next) {
        String who = process == OWNER ? "the owner" : "sender " + process;
        switch (pc(state, process)) {
            case CLAIMS, STORES_CLAIM -> claim(state, process, who, next);
            case LOOKS, CLAIMS_CQE, TAKES_IN_HAND, PUBLISHES, COUNTS -> place(state, process, who, next);
            case RELEASES -> {
                int[] then = at(state, process, process == OWNER ? CLAIMS : DONE);
                then[CLAIM] = 0;
                forget(then, process);
                next.add(who + " lets go", then);
            }
            case DECIDES, WRITES_HAND, CLEARS -> takeOver(state, process, who, next);
            default -> { }
        }
    }

    private static void forget(int[] state, int process) {
        for (int number = COUNT; number < REGISTERS; number++) {
            state[register(process, number)] = 0;
        }
    }

    private void claim(int[] state, int process, String who, ModelCheck.Next next) {
        int claimant = state[CLAIM] - 1;
        if (pc(state, process) == STORES_CLAIM || claimant < 0 && process != OWNER) {
            boolean looksOnly = faults.contains(Fault.CLAIMED_BY_STORE) && pc(state, process) == CLAIMS;
            int[] then = at(state, process, looksOnly ? STORES_CLAIM : LOOKS);
            then[CLAIM] = looksOnly ? state[CLAIM] : process + 1;
            next.add(who + (looksOnly ? " finds no claim" : " claims"), then);
        } else if (isDead(state, claimant)) {
            int[] then = at(state, process, DECIDES);
            then[CLAIM] = process + 1;
            then[register(process, WHOM)] = claimant;
            next.add(who + " takes over from sender " + claimant, then);
        }
    }

    /** What {@code DatagramTarget.place} does. */
    private void place(int[] state, int process, String who, ModelCheck.Next next) {
        int count = state[register(process, COUNT)];
        int slot = state[register(process, SLOT)];
        switch (pc(state, process)) {
            case LOOKS -> {
                int[] then = at(state, process, CLAIMS_CQE);
                then[register(process, COUNT)] = state[COUNTED];
                next.add(who + " looks which receive is next", then);
            }
            case CLAIMS_CQE -> {
                int free = 0;
                while (state[RING + free] != 0) {
                    free++; // there are as many as senders
                }
                int[] then = at(state, process, faults.contains(Fault.NOT_IN_HAND) ? PUBLISHES : TAKES_IN_HAND);
                then[RING + free] = CLAIMED + process;
                then[register(process, SLOT)] = free;
                next.add(who + " claims slot " + free, then);
            }
            case TAKES_IN_HAND -> {
                int[] then = at(state, process, faults.contains(Fault.COUNTED_FIRST) ? COUNTS : PUBLISHES);
                then[COUNTED] = count;
                then[IN_HAND] = slot + 1;
                next.add(who + " takes slot " + slot + " in hand", then);
            }
            case PUBLISHES -> {
                int[] then = at(state, process, faults.contains(Fault.COUNTED_FIRST) ? RELEASES : COUNTS);
                then[RING + slot] = PUBLISHED + count;
                next.add(who + " publishes slot " + slot + " for receive " + count, then);
            }
            default -> {
                int[] then = at(state, process, faults.contains(Fault.COUNTED_FIRST) ? PUBLISHES : RELEASES);
                then[COUNTED] = count + 1;
                then[IN_HAND] = 0;
                next.add(who + " counts receive " + count, then);
            }
        }
    }

    /** What {@code DatagramTarget.takeOver} does. */
    private void takeOver(int[] state, int process, String who, ModelCheck.Next next) {
        boolean clearsFirst = faults.contains(Fault.CLEARED_BEFORE_HAND);
        boolean has = false;
        for (int slot = 0; slot < SLOTS; slot++) {
            has |= isClaimOfDead(state, process, slot);
        }
        switch (pc(state, process)) {
            case DECIDES -> {
                int[] then = at(state, process, WRITES_HAND);
                boolean published = state[IN_HAND] != 0 && !has;
                then[register(process, COUNT)] = published ? state[COUNTED] + 1 : state[COUNTED];
                boolean clears = clearsFirst;
                while (clears) {
                    clears = clearOne(then, process);
                }
                next.add(who + " decides that it was " + (published ? "" : "not ") + "published", then);
            }
            case WRITES_HAND -> {
                int[] then = at(state, process, CLEARS);
                then[COUNTED] = state[register(process, COUNT)];
                then[IN_HAND] = 0;
                next.add(who + " writes the hand", then);
            }
            default -> {
                int[] then = has ? state.clone() : at(state, process, process == OWNER ? RELEASES : LOOKS);
                if (has) {
                    clearOne(then, process);
                } else {
                    forget(then, process);
                }
                next.add(who + (has ? " clears a claim" : " has cleared the claims"), then);
            }
        }
    }

    private boolean isClaimOfDead(int[] state, int process, int slot) {
        int by = state[RING + slot] - CLAIMED;
        return isDead(state, by)
                && (!faults.contains(Fault.ONLY_THE_LAST_DEAD) || by == state[register(process, WHOM)]);
    }

    private boolean clearOne(int[] state, int process) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (isClaimOfDead(state, process, slot)) {
                state[RING + slot] = NOBODYS;
                return true;
            }
        }
        return false;
    }

    @Override
    public String broken(int[] state, boolean last) {
        int[] completions = new int[SENDERS + 1];
        for (int slot = 0; slot < SLOTS; slot++) {
            int receive = state[RING + slot] - PUBLISHED;
            if (receive >= 0 && ++completions[receive] > 1) {
                return "receive " + receive + " has two completions";
            }
            if (last && isDead(state, state[RING + slot] - CLAIMED)) {
                return "slot " + slot + " stays claimed";
            }
        }
        for (int receive = 0; receive < state[COUNTED]; receive++) {
            if (completions[receive] == 0 && !faults.contains(Fault.COUNTED_FIRST)) {
                return "receive " + receive + " is passed over";
            }
        }
        if (last && (state[CLAIM] != 0 || completions[state[COUNTED]] != 0)) {
            return "the claim stays, or a completion's receive is not counted";
        }
        return last && missing(state, completions) ? "a receive is passed over for good" : null;
    }

    private static boolean missing(int[] state, int[] completions) {
        for (int receive = 0; receive < state[COUNTED]; receive++) {
            if (completions[receive] == 0) {
                return true;
            }
        }
        return false;
    }
}
