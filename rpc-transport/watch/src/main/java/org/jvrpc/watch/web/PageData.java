package org.jvrpc.watch.web;

import java.util.List;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Verdict;

/**
 * What the live page shows: the collector answers. Methods are called by the server's threads, several at a time; they
 * wait for no disk longer than a range of history takes, and for no network. What is returned is not changed
 * afterwards. The page asks for a matrix once a window, whoever looks, and keeps its body.
 */
public interface PageData {

    /** Which figure a matrix shows. */
    enum Shown { P50, P99, LOSS }

    /** Returns what stands above the page. */
    Summary summary();

    /** Returns who is in the rows and columns of a matrix. A new epoch is another order or other hosts. */
    Layout layout();

    /**
     * Returns the pairs of hosts in the order of a layout, or null when that window's pairs are not kept (any more).
     *
     * @param window as in {@link Summary#window()}
     */
    Matrix pairs(long window, Shown shown);

    /** Returns the pairs of racks in the order of {@link Layout#racks()}, or null when the window is not kept. */
    Matrix racks(long window, Shown shown);

    /** Returns the probes of all pairs by window, oldest first, at most some thousands: the time line. */
    List<Point> fabricSeries();

    /** Returns the probes of one rack to another, or of both ways when one rack is the other; empty: not known. */
    List<Point> rackSeries(Layout.Rack from, Layout.Rack to);

    /** Returns what is kept of one pair, by {@link AgentInfo#id()}: a row may stand for an hour. Empty: nothing. */
    List<Point> pairSeries(int fromAgent, int toAgent);

    /** Returns the alerts, newest first, at most some thousands. */
    List<Alert> alerts();

    /** Returns the verdicts, newest first, at most some thousands. */
    List<Verdict> verdicts();

    /** Returns the agents known to the registry, in the order of the layout, then those that only send reports. */
    List<AgentState> agents();

    /**
     * What stands above the page.
     *
     * @param title of the fabric, as text
     * @param window newest that is finished; grows by one each {@code windowNs}; -1: there is none yet
     * @param windowNs length of a window
     * @param windowEndWallMs when that window ended: a label, 0 when not known
     * @param trouble null, or what does not work (history, registry), as text
     * @param historyBytes on the disk; 0 without history
     * @param historyBound most of them
     */
    record Summary(String title, long window, long windowNs, long windowEndWallMs, String trouble, long historyBytes,
            long historyBound) { }

    /**
     * Cells, row-major, {@code width} x {@code width}: row: who probes; column: whom. Codes are those of {@link Cells}.
     *
     * @param epoch of the layout whose order it has
     */
    record Matrix(long window, long epoch, int width, byte[] cells) {

        /** Checks the shape. */
        public Matrix {
            if (cells.length != (long) width * width) {
                throw new IllegalArgumentException("cells=" + cells.length + " width=" + width);
            }
        }
    }

    /**
     * Probes of some windows.
     *
     * @param window the first
     * @param windows over how many, at least 1
     * @param sent probes; 0: nothing was measured
     * @param lost of them
     * @param p50Ns of the network's time, 0 when none came back
     * @param p99Ns as p50Ns
     */
    record Point(long window, int windows, long sent, long lost, long p50Ns, long p99Ns) { }

    /**
     * One agent.
     *
     * @param lastWindow whose report came, -1: none ever
     * @param probes that it sent in that window
     * @param refused probes that it refused: forged, replayed, of another version
     * @param clockJumps samples that it threw away
     * @param trouble null, or what is wrong with it, as text
     */
    record AgentState(AgentInfo info, long lastWindow, long probes, long refused, long clockJumps, String trouble) { }
}
