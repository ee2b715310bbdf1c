package org.jvrpc.watch.counters;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.watch.Unit;

/**
 * One name for each counter, whoever counts it: mlx5's where mlx5 has it, else rdma_rxe's, else the kernel's for all
 * drivers. A name that stands in no table is its own. Sources: Linux, {@code drivers/infiniband/sw/rxe/
 * rxe_hw_counters.c}, {@code hw/mlx5/counters.c}; {@code Documentation/networking/device_drivers/ethernet/mellanox/
 * mlx5/counters.rst}; the strings of bnxt_en, ice, i40e, mlx4_en and mlxsw.
 *
 * <pre>
 * canonical                        rdma_rxe                 mlx5        of this project        in the fabric
 * out_of_sequence                  out_of_seq_request       the same    the same               of QPs
 * packet_seq_err                   rcvd_seq_err             the same    rcvd_seq_err           of QPs
 * rnr_nak_retry_err                rcvd_rnr_err             the same    rcvd_rnr_err           of QPs
 * req_transport_retries_exceeded   retry_exceeded_err       the same    retry_exceeded_err     of QPs
 * req_rnr_retries_exceeded         retry_rnr_exceeded_err   the same    retry_rnr_exceeded_err of QPs
 * duplicate_request, local_ack_timeout_err, implied_nak_seq_err, np_cnp_sent, rp_cnp_handled: the same where they are
 * </pre>
 */
public final class CounterNames {

    /** Pause frames that say the same with other words; the rest of a name is its own. */
    private record Form(Pattern from, String to) {

        Form(String from, String to) {
            this(Pattern.compile(from), to);
        }
    }

    private static final Map<String, String> SAME = Map.of(
            "out_of_seq_request", "out_of_sequence",
            "rcvd_seq_err", "packet_seq_err",
            "rcvd_rnr_err", "rnr_nak_retry_err",
            "retry_exceeded_err", "req_transport_retries_exceeded",
            "retry_rnr_exceeded_err", "req_rnr_retries_exceeded",
            "rdma_tx_packets", "sent_pkts",
            "rdma_rx_packets", "rcvd_pkts");

    private static final List<Form> FORMS = List.of(
            new Form("([rt]x)_pfc_ena_frames_pri([0-7])", "$1_prio$2_pause"), // bnxt_en
            new Form("pfc_pri([0-7])_([rt]x)_duration_us", "$2_prio$1_pause_duration"),
            new Form("pfc_pri([0-7])_([rt]x)_transitions", "$2_prio$1_pause_transition"),
            new Form("(?:port\\.)?([rt]x)_priority_([0-7])_xoff(?:\\.nic)?", "$1_prio$2_pause"), // i40e, ice
            new Form("([rt]x)_pause_prio_([0-7])", "$1_prio$2_pause"), // mlxsw, mlx4_en
            new Form("([rt]x)_pause_duration_prio_([0-7])", "$1_prio$2_pause_duration"),
            new Form("([rt]x)_pause_transition_prio_([0-7])", "$1_prio$2_pause_transition"),
            new Form("([rt]x)_octets_prio_([0-7])", "$1_prio$2_bytes"),
            new Form("([rt]x)_frames_prio_([0-7])", "$1_prio$2_packets"));

    /** What a query of the card's queue counters gives: 32 bits each, whatever Linux makes of them. */
    private static final Set<String> MLX5_QUEUE = Set.of("rx_write_requests", "rx_read_requests",
            "rx_atomic_requests", "rx_dct_connect", "out_of_buffer", "rx_out_of_buffer", "out_of_sequence",
            "duplicate_request", "rnr_nak_retry_err", "packet_seq_err", "implied_nak_seq_err",
            "local_ack_timeout_err", "resp_local_length_error", "resp_cqe_error", "req_cqe_error",
            "req_remote_invalid_request", "req_remote_access_errors", "resp_remote_access_errors",
            "resp_cqe_flush_error", "req_cqe_flush_error", "req_transport_retries_exceeded",
            "req_rnr_retries_exceeded", "roce_adp_retrans", "roce_adp_retrans_to", "roce_slow_restart",
            "roce_slow_restart_cnps", "roce_slow_restart_trans");

    /** Linux counts words of four bytes, as InfiniBand does. */
    private static final Set<String> WORDS = Set.of("port_xmit_data", "port_rcv_data");

    private static final Pattern WATCHED = Pattern.compile(".*(prio|pause|discard|drop|buffer|_err|_phy|ecn|cnp|roce"
            + "|link_down|storm).*");
    private static final Pattern OF_A_RING = Pattern.compile("(ch|[rt]x)_?-?(queue_)?[0-9]+_.*|\\[[0-9]+].*");

    private static final Map<String, String> MEANINGS = meanings();

    private CounterNames() {
    }

    private static Map<String, String> meanings() {
        Map<String, String> all = new TreeMap<>();
        all.put("out_of_sequence", "Requests that came ahead of one that was missing.");
        all.put("packet_seq_err", "NAKs for a gap that the requester was told of.");
        all.put("rnr_nak_retry_err", "RNR NAKs that the requester was told of.");
        all.put("send_rnr_err", "RNR NAKs sent: there was no receive.");
        all.put("req_transport_retries_exceeded", "Requests given up after their retries.");
        all.put("req_rnr_retries_exceeded", "Requests given up as there never was a receive.");
        all.put("duplicate_request", "Requests that had come before.");
        all.put("implied_nak_seq_err", "Responses whose loss a later one told.");
        all.put("local_ack_timeout_err", "Acknowledgements that did not come in time.");
        all.put("out_of_buffer", "Packets for which there was no receive.");
        all.put("np_cnp_sent", "CNPs sent, as marked packets had come.");
        all.put("np_ecn_marked_roce_packets", "RoCE packets that came marked.");
        all.put("rp_cnp_handled", "CNPs that slowed a QP down.");
        all.put("rp_cnp_ignored", "CNPs that came and slowed nothing down.");
        all.put("rx_icrc_encapsulated", "RoCE packets with a wrong ICRC.");
        all.put("sent_pkts", "RoCE packets sent.");
        all.put("rcvd_pkts", "RoCE packets received.");
        all.put("tx_pause_storm_warning_events", "Times that pauses were sent for long.");
        all.put("tx_pause_storm_error_events", "Times that pauses were sent for so long that they were turned off.");
        all.put("port_xmit_data", "Bytes sent; Linux says words of four bytes.");
        all.put("port_rcv_data", "Bytes received; Linux says words of four bytes.");
        return all;
    }

    /** Returns the name of a counter that a driver calls so. */
    public static String canonical(String driversName) {
        String same = SAME.get(driversName);
        if (same != null) {
            return same;
        }
        for (Form form : FORMS) {
            Matcher matcher = form.from.matcher(driversName);
            if (matcher.matches()) {
                return matcher.replaceAll(form.to);
            }
        }
        return driversName;
    }

    /** Returns what a counter of that canonical name counts. */
    public static Unit unit(String name) {
        if (name.endsWith("_pause_duration")) {
            return Unit.MICROSECONDS;
        }
        return WORDS.contains(name) || name.endsWith("_bytes") || name.endsWith("_bytes_phy") ? Unit.BYTES : Unit.COUNT;
    }

    /** Returns how many bytes, say, one of what Linux counts is. */
    static int scale(String name) {
        return WORDS.contains(name) ? 4 : 1;
    }

    /** Returns how many bits a counter has before it begins again, at a driver: 32 or 64. */
    static int bits(String driver, String name) {
        return driver != null && driver.startsWith("mlx5") && MLX5_QUEUE.contains(name) ? 32 : 64;
    }

    /** Returns true when a card's counter has to do with loss, pauses, congestion or its port; not with one ring. */
    static boolean isWatched(String name) {
        return WATCHED.matcher(name).matches() && !OF_A_RING.matcher(name).matches();
    }

    /** Returns a sentence about a counter, for people and for Prometheus. */
    public static String meaning(String name) {
        String known = MEANINGS.get(name);
        if (known != null) {
            return known;
        }
        Matcher pause = PauseName.PATTERN.matcher(name);
        if (pause.matches()) {
            return PauseName.of(pause).meaning();
        }
        return "As the driver counts it.";
    }

    /** Returns the name of the counter of pause frames of a priority that were sent. */
    public static String sentPauses(int priority) {
        return "tx_prio" + priority + "_pause";
    }

    /** Returns the name of the counter of pause frames of a priority that came. */
    public static String receivedPauses(int priority) {
        return "rx_prio" + priority + "_pause";
    }

    /** Returns the name of the counter of the microseconds that a priority of this port was paused. */
    public static String pausedDuration(int priority) {
        return "rx_prio" + priority + "_pause_duration";
    }

    /** Returns the name of the counter of the microseconds that this port had a priority of the other end paused. */
    public static String pausingDuration(int priority) {
        return "tx_prio" + priority + "_pause_duration";
    }

    /** Returns the name of the counter of how often a paused priority of this port was let go again. */
    public static String pauseTransitions(int priority) {
        return "rx_prio" + priority + "_pause_transition";
    }
}
