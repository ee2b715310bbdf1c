package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** What a thousand connections leave behind: nothing. */
@NeedsRdmaDevice
final class LeakTest {

    private static final int ROUNDS = 500;
    private static final int SECONDS = 120;
    /** The heap and compiled code grow for a while. */
    private static final long RSS_KIB = 24 << 10;
    private static final Pattern HELD = Pattern.compile("fds=(\\d+) rss=(\\d+) \\| (.*)");

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void connectingAndLeavingHundredsOfTimesLeavesNothingBehind(String driver) {
        try (FaultJvm child = FaultJvm.start("leaks", driver, Integer.toString(ROUNDS))) {
            Matcher early = held(child.expect("EARLY", SECONDS));
            Matcher late = held(child.expect("LATE", SECONDS));
            Matcher after = held(child.expect("AFTER", SECONDS));
            System.out.println(driver + ": rounds=" + ROUNDS + " early " + early.group() + ", late " + late.group()
                    + ", after " + after.group());
            assertEquals(early.group(1), late.group(1), "file descriptors");
            assertEquals(early.group(3), late.group(3), "kernel objects");
            long grown = Long.parseLong(after.group(2)) - Long.parseLong(early.group(2));
            assertTrue(grown < RSS_KIB, "resident memory grew by KiB=" + grown);
            child.expectEnd(SECONDS);
        }
    }

    private static Matcher held(String text) {
        Matcher matcher = HELD.matcher(text);
        assertTrue(matcher.matches(), text);
        return matcher;
    }
}
