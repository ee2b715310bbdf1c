package org.jvrpc.fabric.network;

import java.util.Objects;
import org.jvrpc.fabric.event.Chance;

/** What befalls frames that leave by a port: by chance, or those that somebody chooses. Pauses always arrive. */
public final class LinkFaults {

    /** Chooses frames. */
    public interface Choice {

        /**
         * Returns true for a frame to be lost.
         *
         * @param number of the frame among those that left by this port, from 0 on
         */
        boolean test(Frame frame, long number);
    }

    /** What becomes of a frame. */
    public enum Fate {
        /** It arrives in time. */
        ARRIVES,
        /** It does not arrive. */
        LOST,
        /** It arrives with a wrong bit, which only the ICRC tells. */
        DAMAGED,
        /** It arrives, and a copy right behind it. */
        TWICE,
        /** Others overtake it. */
        LATE
    }

    /** Chooses fates. */
    public interface Fates {

        /** Returns the fate of the packet with a number. */
        Fate of(long number);
    }

    private final Chance chance;
    private double loss;
    private double damage;
    private boolean silent;
    private Choice choice = (frame, number) -> false;
    private Fates fates = number -> Fate.ARRIVES;
    private long frames;
    private long lost;
    private long damaged;

    LinkFaults(Chance chance) {
        this.chance = chance;
    }

    /** Loses frames with a probability. */
    public LinkFaults loses(double probability) {
        loss = probability;
        return this;
    }

    /** Loses those that are chosen. */
    public LinkFaults loses(Choice newChoice) {
        choice = Objects.requireNonNull(newChoice, "newChoice");
        return this;
    }

    /**
     * Changes a bit of frames with a probability.
     *
     * @param silently as the memory of a switch does, behind the FCS's back: only the ICRC tells
     */
    public LinkFaults damages(double probability, boolean silently) {
        damage = probability;
        silent = silently;
        return this;
    }

    /** Gives packets the fates that somebody chose, by their number among the frames that left by this port. */
    public LinkFaults fates(Fates newFates) {
        fates = Objects.requireNonNull(newFates, "newFates");
        return this;
    }

    /** Says what becomes of a frame. */
    Fate befall(Frame frame) {
        if (frame.kind == Frame.Kind.PAUSE) {
            return Fate.ARRIVES;
        }
        long number = frames++;
        Fate fate = frame.kind == Frame.Kind.PACKET ? fates.of(number) : Fate.ARRIVES;
        if (choice.test(frame, number) || chance.test(loss)) {
            fate = Fate.LOST;
        } else if (frame.kind == Frame.Kind.PACKET && chance.test(damage)) {
            fate = silent ? Fate.DAMAGED : Fate.LOST; // the FCS tells the next device
            damaged += silent ? 0 : 1;
        }
        if (fate == Fate.DAMAGED) {
            damage(frame);
        }
        lost += fate == Fate.LOST ? 1 : 0;
        return fate;
    }

    private void damage(Frame frame) {
        damaged++;
        frame.damaged = true;
        int bit = chance.below(Math.min(frame.packet.capacity(), frame.packetBytes) * Byte.SIZE);
        int at = bit >>> 3;
        frame.packet.put(at, (byte) (frame.packet.get(at) ^ 1 << (bit & 7)));
    }

    public long lost() {
        return lost;
    }

    public long damaged() {
        return damaged;
    }
}
