package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.testing.ChildJvm;

/** What a thousand connections leave behind: nothing. */
@NeedsRdmaDevice
final class LeakTest {

    private static final int ROUNDS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    /** The heap and compiled code grow for a while. */
    private static final long RSS_KIB = 24 << 10;
    private static final Pattern HELD = Pattern.compile("fds=(\\d+) rss=(\\d+) \\| (.*)");

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void connectingAndLeavingHundredsOfTimesLeavesNothingBehind(String driver) {
        try (ChildJvm child = FaultMain.start("leaks", driver, Integer.toString(ROUNDS))) {
            Matcher early = held(child.expect("EARLY", LIMIT));
            Matcher late = held(child.expect("LATE", LIMIT));
            Matcher after = held(child.expect("AFTER", LIMIT));
            System.out.println(driver + ": rounds=" + ROUNDS + " early " + early.group() + ", late " + late.group()
                    + ", after " + after.group());
            assertEquals(early.group(1), late.group(1), "file descriptors");
            assertEquals(early.group(3), late.group(3), "kernel objects");
            long grown = Long.parseLong(after.group(2)) - Long.parseLong(early.group(2));
            assertTrue(grown < RSS_KIB, "resident memory grew by KiB=" + grown);
            child.expectEnd();
        }
    }

    private static Matcher held(String text) {
        Matcher matcher = HELD.matcher(text);
        assertTrue(matcher.matches(), text);
        return matcher;
    }
}
