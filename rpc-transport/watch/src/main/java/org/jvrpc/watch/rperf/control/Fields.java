package org.jvrpc.watch.rperf.control;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names and values of one line. One thread. */
final class Fields {

    private static final int MOST = 64;

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Reads {@code NAME=VALUE} words. @throws IllegalArgumentException for what is none */
    static Fields parse(String text) {
        Fields fields = new Fields();
        for (String word : text.isEmpty() ? new String[0] : text.split(" ")) {
            int equals = word.indexOf('=');
            if (equals < 1 || fields.values.size() == MOST) {
                throw new IllegalArgumentException("not NAME=VALUE, or more than " + MOST);
            }
            String name = word.substring(0, equals);
            String value = URLDecoder.decode(word.substring(equals + 1), StandardCharsets.UTF_8);
            if (fields.values.put(name, value) != null) {
                throw new IllegalArgumentException("twice: " + name);
            }
        }
        return fields;
    }

    Fields put(String name, Object value) {
        if (value != null) {
            values.put(name, value.toString());
        }
        return this;
    }

    String text(String name, int mostChars) {
        String value = values.get(name);
        if (value != null && value.length() > mostChars) {
            throw new IllegalArgumentException(name + " is longer than " + mostChars + " characters");
        }
        return value;
    }

    long number(String name, long least, long most) {
        String value = values.get(name);
        try {
            long number = Long.parseLong(String.valueOf(value));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", " + name + "=" + value);
    }

    double real(String name, double least, double most) {
        String value = values.get(name);
        try {
            double number = Double.parseDouble(String.valueOf(value));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", " + name + "=" + value);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        values.forEach((name, value) -> out.append(out.length() == 0 ? "" : " ").append(name).append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return out.toString();
    }
}
