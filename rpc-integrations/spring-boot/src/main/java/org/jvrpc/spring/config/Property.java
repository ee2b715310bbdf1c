package org.jvrpc.spring.config;

import java.util.function.Consumer;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/** Hands values of properties to builders, whose refusals become failures that name the property. */
final class Property {

    private Property() {
    }

    /** Hands a value over where there is one. */
    static <T> void apply(String name, T value, Consumer<? super T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(name, value, e.getMessage());
        } catch (ArithmeticException e) { // of a duration that is more than 292 years
            throw new InvalidConfigurationPropertyValueException(name, value, "the value is too large");
        }
    }

    /** Returns the bytes of a size, or a number that builders refuse where they are more than an int has. */
    static int bytes(DataSize size) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(size.toBytes(), Integer.MAX_VALUE));
    }

    /** Returns the first that is not null. */
    static <T> T or(T first, T second) {
        return first != null ? first : second;
    }

    static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
        return new InvalidConfigurationPropertyValueException(name, value, reason);
    }
}
