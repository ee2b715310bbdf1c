package org.jvrpc.recording.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, strings, {@link BigDecimal}s, booleans and null; other numbers are written as what they are,
 * those that are not finite as strings.
 */
public final class Json {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private Json() {
    }

    /** Reads one value. @throws MisfitException when the text is none, or has something behind it */
    public static Object read(String text) {
        try (JsonParser in = FACTORY.createParser(text)) {
            if (in.nextToken() == null) {
                throw new MisfitException("no JSON: nothing but blanks");
            }
            Object value = value(in);
            if (in.nextToken() != null) {
                throw new MisfitException("more than one JSON value: " + in.currentToken() + " at offset="
                        + in.currentTokenLocation().getCharOffset());
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new MisfitException("no JSON: " + e.getOriginalMessage() + (e.getLocation() == null ? ""
                    : " at offset=" + e.getLocation().getCharOffset()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, Object> object(JsonParser in) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            members.put(name, value(in));
        }
        return members;
    }

    private static List<Object> array(JsonParser in) throws IOException {
        List<Object> elements = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(in));
        }
        return elements;
    }

    /** Writes a value in one line, or in several that people read more easily. */
    public static String write(Object value, boolean pretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            if (pretty) {
                out.setPrettyPrinter(new DefaultPrettyPrinter());
            }
            write(out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> members) {
            out.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.writeFieldName((String) member.getKey());
                write(out, member.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> elements) {
            out.writeStartArray();
            for (Object element : elements) {
                write(out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Number number && isFinite(number)) {
            out.writeNumber(number instanceof BigDecimal decimal ? decimal.toString() : number.toString());
        } else if (value == null) {
            out.writeNull();
        } else {
            out.writeString(value.toString());
        }
    }

    private static boolean isFinite(Number number) {
        return !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue());
    }
}
