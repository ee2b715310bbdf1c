package org.jvrpc.watch.web;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Anything behind the question mark of an address that the server takes for one. It is refused in a short line, or it
 * is names and values, which are the same when they are written and read again.
 */
final class QueryFuzz {

    private static final int LONGEST_MESSAGE = 300;

    private QueryFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        String raw;
        try {
            raw = URI.create("/api?" + new String(input, StandardCharsets.ISO_8859_1)).getRawQuery();
        } catch (IllegalArgumentException e) {
            return; // the JDK's server refuses it
        }
        try {
            Query query = Query.of(raw);
            again(query);
            for (String name : List.of("a", "window", "what")) {
                values(query, name);
            }
        } catch (IllegalArgumentException e) {
            FuzzCheck.that(e.getMessage() != null && e.getMessage().length() < LONGEST_MESSAGE,
                    "message: " + e.getMessage());
        }
    }

    private static void again(Query query) {
        List<String> words = new ArrayList<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) query.key()).entrySet()) {
            String name = (String) entry.getKey();
            FuzzCheck.that(entry.getValue().equals(query.text(name)) && entry.getValue().equals(query.needed(name)),
                    name);
            words.add(encoded(name) + "=" + encoded((String) entry.getValue()));
        }
        Query again;
        try {
            again = Query.of(String.join("&", words));
        } catch (IllegalArgumentException e) { // three characters for one may be too many
            FuzzCheck.that(String.join("&", words).length() > 2048, "refused: " + words);
            return;
        }
        FuzzCheck.that(again.key().equals(query.key()), query.key() + " became " + again.key());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void values(Query query, String name) {
        String text = query.text(name);
        boolean isNumber = text != null && text.matches("[+-]?\\p{Nd}{1,18}");
        if (isNumber) {
            FuzzCheck.that(query.number(name, 0) == Long.parseLong(text), text);
        } else if (text == null) {
            FuzzCheck.that(query.number(name, 17) == 17, "absent");
        } else {
            query.number(name, 17);
            query.id(name);
        }
    }
}
