package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Reading;

/** Rules, and what they raise; a reading each second. */
class RuleWatchTest {

    private final Rates rates = new Rates();
    private RuleWatch watch;
    private long window;

    private void rules(String... texts) {
        List<Rule> rules = new ArrayList<>();
        for (String text : texts) {
            rules.add(Rule.parse(text));
        }
        watch = new RuleWatch(rules);
    }

    private static Counted counted(String device, String name, long value) {
        return new Counted(Reading.of(device, 1, name, value, CounterNames.unit(name)), "sysfs", 64, 0);
    }

    private String read(Counted... counted) {
        window++;
        List<Counted> timed = Stream.of(counted).map(one -> new Counted(one.reading(), one.origin(), one.bits(),
                window * 1_000_000_000L)).toList();
        return text(watch.update(window, timed, rates.update(timed)));
    }

    private String read(long value) {
        return read(counted("rxe0", "out_of_sequence", value));
    }

    private static String text(List<Alert> alerts) {
        return alerts.stream().map(alert -> (alert.raised() ? "" : "over: ") + alert.window() + " " + alert.subject()
                + " " + alert.value() + " " + alert.rule()).collect(Collectors.joining("\n"));
    }

    @Test
    void aRateOverItsLimitIsRaisedOnceAndIsOverOnce() {
        rules("out_of_sequence > 10/s");
        assertEquals("", read(0));
        assertEquals("", read(10));
        assertEquals("3 rxe0/1 out_of_sequence 11.0 out_of_sequence > 10/s", read(21));
        assertEquals("", read(121));
        assertEquals("3 rxe0/1 out_of_sequence 100.0 out_of_sequence > 10/s", text(watch.raised()));
        assertEquals("over: 5 rxe0/1 out_of_sequence 0.0 out_of_sequence > 10/s", read(121));
        assertEquals("", read(121));
        assertEquals("", text(watch.raised()));
    }

    @Test
    void severalTimesInARowAreNeededWhereARuleSaysSoBothToRaiseAndToEnd() {
        rules("out_of_sequence > 0/s for 3");
        long value = 0;
        String growth = "11011101001000";
        List<String> seen = new ArrayList<>();
        read(value);
        for (char grows : growth.toCharArray()) {
            value += grows - '0';
            String alert = read(value);
            seen.add(alert.isEmpty() ? "." : alert.startsWith("over") ? "o" : "r");
        }
        assertEquals(".....r.......o", String.join("", seen));
    }

    @Test
    void aResetNeitherRaisesNorEnds() {
        rules("out_of_sequence > 0/s");
        read(0);
        assertTrue(read(100).startsWith("2 "));
        assertEquals("", read(1));
        assertEquals(1, watch.raised().size());
        assertEquals("[rxe0/1 out_of_sequence: it was reset]", watch.blind().values().toString());
        assertTrue(read(1).startsWith("over"));
    }

    @Test
    void aValueIsHeldAgainstItsLimitAtTheFirstReading() {
        rules("link_downed > 0", "rcvd_pkts < 1");
        assertEquals("1 rxe0/1 link_downed 2.0 link_downed > 0", read(counted("rxe0", "link_downed", 2),
                counted("rxe0", "rcvd_pkts", 5)));
    }

    @Test
    void silenceIsALimit() {
        rules("rcvd_pkts < 1/s");
        read(counted("rxe0", "rcvd_pkts", 5));
        assertEquals("2 rxe0/1 rcvd_pkts 0.0 rcvd_pkts < 1/s", read(counted("rxe0", "rcvd_pkts", 5)));
    }

    @Test
    void aShareIsOfTheTime() {
        rules("rx_prio*_pause_duration > 20%");
        read(counted("rxe0", "rx_prio3_pause_duration", 0), counted("rxe0", "rx_prio4_pause_duration", 0));
        assertEquals("2 rxe0/1 rx_prio4_pause_duration 25.0 rx_prio*_pause_duration > 20%",
                read(counted("rxe0", "rx_prio3_pause_duration", 200_000),
                        counted("rxe0", "rx_prio4_pause_duration", 250_000)));
    }

    @Test
    void aRuleMayBeOfSomeDevicesOnly() {
        rules("mlx5_*:link_downed > 0");
        assertEquals("1 mlx5_0/1 link_downed 3.0 mlx5_*:link_downed > 0", read(counted("rxe0", "link_downed", 2),
                counted("mlx5_0", "link_downed", 3)));
    }

    @Test
    void aRuleThatSeesNothingSaysWhy() {
        rules("np_cnp_sent > 0/s", "out_of_sequence > 1/s", "link_downed > 0");
        Counted refused = new Counted(Reading.refused("rxe0", 1, "np_cnp_sent", "permission denied"), "sysfs", 64, 0);
        read(refused, counted("rxe0", "out_of_sequence", 1));
        assertEquals("[rxe0/1 np_cnp_sent: permission denied, rxe0/1 out_of_sequence: no rate yet, no such counter"
                + " here]", watch.blind().values().toString());
    }

    /** As when its device was taken out: nothing would end it. */
    @Test
    void anAlertOfACounterThatIsGoneEnds() {
        rules("out_of_sequence > 0", "sent_pkts > 100");
        assertEquals("1 rxe0/1 out_of_sequence 3.0 out_of_sequence > 0", read(3));
        for (int i = 1; i < RuleWatch.MOST_SILENT; i++) {
            assertEquals("", read(counted("rxe1", "sent_pkts", 1)));
            assertEquals(1, watch.raised().size());
        }
        assertEquals("over: 11 rxe0/1 out_of_sequence NaN out_of_sequence > 0", read(counted("rxe1", "sent_pkts", 1)));
        assertEquals("", text(watch.raised()));
        assertEquals("12 rxe0/1 out_of_sequence 4.0 out_of_sequence > 0", read(4));
    }

    @Test
    void anAlertOfACounterThatCannotBeReadForATimeStays() {
        rules("out_of_sequence > 0");
        read(3);
        Counted refused = new Counted(Reading.refused("rxe0", 1, "out_of_sequence", "busy"), "sysfs", 64, 0);
        for (int i = 1; i < RuleWatch.MOST_SILENT; i++) {
            read(refused);
        }
        assertEquals("", read(3));
        assertEquals("", read(refused));
        assertEquals(1, watch.raised().size());
    }

    @Test
    void aRuleThatWasJudgedOnceIsNoneThatNeverWas() {
        rules("out_of_sequence > 1/s", "link_downed > 0", "np_cnp_sent > 0");
        read(counted("rxe0", "out_of_sequence", 1), counted("rxe0", "link_downed", 0));
        assertEquals("[out_of_sequence > 1/s, np_cnp_sent > 0]", watch.neverJudged().toString());
        read(counted("rxe0", "out_of_sequence", 1));
        assertEquals("[np_cnp_sent > 0]", watch.neverJudged().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "out_of_sequence", "> 3", "out_of_sequence > ", "out_of_sequence >= 3", "a b > 3",
        "out_of_sequence > -3", "out_of_sequence > 3/min", "out_of_sequence > 3 for", "out_of_sequence > 1e99",
        "a > 1 for 0", "a > 1 for 1001", "out_of_sequence > 3%", "a > 1234567890123456"})
    void whatIsNoRuleIsRefusedWithItsText(String text) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Rule.parse(text));
        assertTrue(refusal.getMessage().contains("'" + text.strip() + "'"), refusal.getMessage());
    }

    @Test
    void theDefaultsAreRules() {
        List<Rule> rules = Rule.DEFAULTS.stream().map(Rule::parse).toList();
        assertTrue(new RuleWatch(rules).needsRates());
        rules.forEach(rule -> assertEquals(rule.text(), rule.toString()));
    }
}
