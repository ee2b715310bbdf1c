package org.jvrpc.watch.fabric.experiments;

import java.util.List;
import java.util.function.Function;
import org.jvrpc.watch.fabric.experiments.SixExperiments.Panel;
import org.jvrpc.watch.fabric.experiments.SixExperiments.Row;

/**
 * An order that the figures of a run have, or have not.
 *
 * @param isOfThePaper the paper tells of it; else it is what its words would be under another policy than it has
 */
public record Order(String text, boolean isOfThePaper, boolean holds) {

    /** A frame of 1024 bytes of a message at 40 Gb/s, with its gap. */
    private static final long PACKET_NS = 222;
    private static final double FAIR_GBPS = 40.0 / (Setup.MOST_BULKS + 1);
    private static final int MUCH = 10;
    /** Of the gamer's rows: the first whose frames take longer than posting them does. */
    private static final int FILLS = 2;

    /** Returns those of all panels. */
    public static List<Order> of(List<Panel> panels) {
        List<Row> counts = panels.get(0).rows();
        List<Row> sizes = panels.get(1).rows();
        List<Row> hops = panels.get(2).rows();
        Row own = panels.get(3).rows().get(1);
        Row alone = counts.get(0);
        Row gamer = panels.get(4).rows().get(FILLS);
        return List.of(
                new Order("1. first come: the median grows with each bulk", true, grows(counts, Row::firstCome)),
                new Order("2. first come: the median grows with the bulks' messages", true,
                        grows(sizes, Row::firstCome)),
                new Order("3. round robin: p99 is one packet a bulk longer at most", true, isOnePacketEach(counts)),
                new Order("4. round robin: two hops are " + MUCH + " times one and more", true,
                        hops.get(1).roundRobin().p50Ns() > MUCH * hops.get(0).roundRobin().p50Ns()),
                new Order("5. a lane of its own: p99 is one packet longer at most, first come", true,
                        isRestored(alone.firstCome(), own.firstCome())),
                new Order("5. the same, round robin", true, isRestored(alone.roundRobin(), own.roundRobin())),
                new Order("6. first come: a gamer that fills the lane makes the median " + MUCH + " times as long, and"
                        + " has more than twice its share", true, isGamed(own.firstCome(), gamer.firstCome())),
                new Order("6. the same, round robin among ports", false,
                        isGamed(own.roundRobin(), gamer.roundRobin())));
    }

    private static boolean grows(List<Row> rows, Function<Row, Measured> policy) {
        boolean grows = true;
        for (int i = 1; i < rows.size(); i++) {
            grows &= policy.apply(rows.get(i)).p50Ns() > policy.apply(rows.get(i - 1)).p50Ns();
        }
        return grows;
    }

    private static boolean isOnePacketEach(List<Row> rows) {
        boolean is = true;
        for (int i = 1; i < rows.size(); i++) {
            is &= rows.get(i).roundRobin().p99Ns() <= rows.get(0).roundRobin().p99Ns() + i * PACKET_NS;
        }
        return is;
    }

    private static boolean isRestored(Measured alone, Measured own) {
        return own.p99Ns() <= alone.p99Ns() + PACKET_NS;
    }

    private static boolean isGamed(Measured own, Measured gamed) {
        return gamed.p50Ns() > MUCH * own.p50Ns() && gamed.gamerGbps() > 2 * FAIR_GBPS;
    }
}
