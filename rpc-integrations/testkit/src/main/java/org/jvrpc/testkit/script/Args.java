package org.jvrpc.testkit.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoublePredicate;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * What stands in a scripted call for arguments that are not one value: {@code o.find(Args.longThat(id -> id > 5))}. All
 * arguments of a call are given by these, or none is. One thread.
 */
public final class Args {

    private static final ThreadLocal<List<Predicate<Object>>> GIVEN = ThreadLocal.withInitial(ArrayList::new);

    private Args() {
    }

    /** Any object, null too. */
    public static <T> T any() {
        return that(any -> true);
    }

    /** An object that is equal to another, arrays by their elements. */
    public static <T> T eq(T expected) {
        GIVEN.get().add(actual -> Objects.deepEquals(expected, actual));
        return expected;
    }

    /** An object that is as a condition says. */
    @SuppressWarnings("unchecked") // parameters have their types
    public static <T> T that(Predicate<T> condition) {
        Objects.requireNonNull(condition, "condition");
        GIVEN.get().add(actual -> condition.test((T) actual));
        return null;
    }

    /** Any {@code boolean}. */
    public static boolean anyBoolean() {
        that(any -> true);
        return false;
    }

    /** Any {@code int}. */
    public static int anyInt() {
        return intThat(any -> true);
    }

    /** An {@code int} that is as a condition says. */
    public static int intThat(IntPredicate condition) {
        Args.<Integer>that(condition::test);
        return 0;
    }

    /** Any {@code long}. */
    public static long anyLong() {
        return longThat(any -> true);
    }

    /** A {@code long} that is as a condition says. */
    public static long longThat(LongPredicate condition) {
        Args.<Long>that(condition::test);
        return 0;
    }

    /** Any {@code double}. */
    public static double anyDouble() {
        return doubleThat(any -> true);
    }

    /** A {@code double} that is as a condition says. */
    public static double doubleThat(DoublePredicate condition) {
        Args.<Double>that(condition::test);
        return 0;
    }

    /** Returns what was given since the last time. */
    static List<Predicate<Object>> take() {
        List<Predicate<Object>> given = List.copyOf(GIVEN.get());
        GIVEN.get().clear();
        return given;
    }
}
