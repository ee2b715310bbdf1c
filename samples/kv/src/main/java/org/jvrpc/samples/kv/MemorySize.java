package org.jvrpc.samples.kv;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size such as 64m: bytes, or with k, m or g behind it. */
final class MemorySize implements ITypeConverter<Long> {

    private static final String UNITS = "kmg";

    @Override
    public Long convert(String text) {
        String value = text.toLowerCase(Locale.ROOT);
        int unit = value.isEmpty() ? -1 : UNITS.indexOf(value.charAt(value.length() - 1));
        String digits = unit < 0 ? value : value.substring(0, value.length() - 1);
        if (!digits.matches("[0-9]{1,12}")) {
            throw new TypeConversionException("'" + text + "' is no size, such as 64m or 2g");
        }
        return Long.parseLong(digits) << 10 * (unit + 1);
    }
}
