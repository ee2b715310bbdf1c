package org.jvrpc.benchmarks.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Named numbers of a run: {@code <bench>.<who>.<statistic>}, the unit last. Written as one flat sorted JSON object. */
public final class Figures {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]+\\.[a-z0-9_-]+\\.[a-z0-9]+(_[a-z0-9]+)*");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();
    private static final Separators SEPARATORS = Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER).withObjectEmptySeparator("\n");
    private static final MathContext DIGITS = new MathContext(6);

    private final SortedMap<String, Double> values = new TreeMap<>();

    /** Notes a number; a name is noted once. */
    public void put(String bench, String who, String statistic, double value) {
        String name = bench + '.' + who + '.' + statistic;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not a figure name: " + name);
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a number: figure=" + name + " value=" + value);
        }
        if (values.putIfAbsent(name, value) != null) {
            throw new IllegalArgumentException("figure noted twice: " + name);
        }
    }

    /** Notes the five statistics of a summary. */
    public void put(String bench, String who, Summary summary) {
        put(bench, who, "p50_ns", summary.p50());
        put(bench, who, "p90_ns", summary.p90());
        put(bench, who, "p99_ns", summary.p99());
        put(bench, who, "p999_ns", summary.p999());
        put(bench, who, "max_ns", summary.max());
    }

    /** Notes a row: medians over the rounds, quartiles of p50, and p50 over the limit's where that was measured. */
    public void put(String bench, String who, Measured row) {
        put(bench, who, row.median());
        put(bench, who, "p50_q1_ns", row.p50().first());
        put(bench, who, "p50_q3_ns", row.p50().third());
        if (row.hasLimit()) {
            put(bench, who, "p50_limit_ratio", row.overLimit().median());
        }
    }

    /** Returns the figures by name. */
    public SortedMap<String, Double> values() {
        return values;
    }

    /** Returns one flat object, a figure on each line. */
    public String toJson() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter(SEPARATORS)
                    .withObjectIndenter(new DefaultIndenter("  ", "\n")));
            json.writeStartObject();
            for (Map.Entry<String, Double> entry : values.entrySet()) {
                json.writeFieldName(entry.getKey());
                json.writeNumber(number(entry.getValue()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a string takes everything
        }
        return text.append('\n').toString();
    }

    /** Six digits tell more than a measurement does; whole numbers keep theirs. */
    private static BigDecimal number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return whole ? BigDecimal.valueOf((long) value) : new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IOException when the file is cut off, or is not one flat JSON object of numbers
     */
    public static SortedMap<String, Double> read(Path file) throws IOException {
        SortedMap<String, Double> figures = new TreeMap<>();
        try (JsonParser json = JSON.createParser(Files.newBufferedReader(file))) {
            expect(file, json, json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                expect(file, json, json.nextToken().isNumeric());
                figures.put(name, json.getDoubleValue());
            }
            expect(file, json, json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null);
        }
        return figures;
    }

    private static void expect(Path file, JsonParser json, boolean asExpected) throws IOException {
        if (!asExpected) {
            throw new IOException("not an object of figures: file=" + file + " line="
                    + json.currentLocation().getLineNr() + " token=" + json.currentToken());
        }
    }

    /** Notes the figures of another run, but for names that are noted already. */
    public void putAll(Map<String, Double> figures) {
        figures.forEach(values::putIfAbsent);
    }

    /** Writes the JSON to a file. */
    public void write(Path file) throws IOException {
        Files.writeString(file, toJson());
    }
}
