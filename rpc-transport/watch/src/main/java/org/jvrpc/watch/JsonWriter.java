package org.jvrpc.watch;

/**
 * Writes one JSON text. One thread. Numbers that are none, such as NaN, become null.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259</a>
 */
public final class JsonWriter {

    private final StringBuilder out = new StringBuilder();
    private final StringBuilder open = new StringBuilder();
    private boolean first = true;
    private boolean named;

    public JsonWriter object() {
        return begin('{', '}');
    }

    public JsonWriter array() {
        return begin('[', ']');
    }

    private JsonWriter begin(char with, char end) {
        separate();
        out.append(with);
        open.append(end);
        first = true;
        return this;
    }

    /** Ends the object or array begun last. */
    public JsonWriter end() {
        if (open.length() == 0 || named) {
            throw new IllegalStateException("nothing to end: " + out);
        }
        out.append(open.charAt(open.length() - 1));
        open.setLength(open.length() - 1);
        first = false;
        return this;
    }

    /** Begins a member of an object: its value is next. */
    public JsonWriter name(String name) {
        if (named || open.length() == 0 || open.charAt(open.length() - 1) != '}') {
            throw new IllegalStateException("no member here: " + name);
        }
        comma();
        quote(name);
        out.append(':');
        named = true;
        return this;
    }

    /** Null becomes null. */
    public JsonWriter value(String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    public JsonWriter value(long value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonWriter value(double value) {
        separate();
        out.append(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    public JsonWriter value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    private void separate() {
        if (named) {
            named = false;
            return;
        }
        if (open.length() > 0 && open.charAt(open.length() - 1) == '}') {
            throw new IllegalStateException("a member without a name: " + out);
        }
        comma();
    }

    private void comma() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c == '<' || Character.isSurrogate(c) || isUnseen(c)) {
                        out.append(String.format("\\u%04x", (int) c)); // also what ends a script, or a half character
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Tells what a terminal may obey, and what readers of YAML do not take as it is. */
    private static boolean isUnseen(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff' || c >= '\ufffe';
    }

    /** Returns the text, all of whose objects and arrays have ended. */
    @Override
    public String toString() {
        if (open.length() > 0) {
            throw new IllegalStateException("not ended: " + out);
        }
        return out.toString();
    }
}
