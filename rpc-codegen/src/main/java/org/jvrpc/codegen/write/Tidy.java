package org.jvrpc.codegen.write;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last touch on a written file: what JavaPoet spreads over lines and a person would not. */
final class Tidy {

    private static final int WIDTH = 120;

    private static final Pattern TRAILING_BLANKS = Pattern.compile("(?m) +$");
    private static final Pattern SHORT_JAVADOC = Pattern.compile("/\\*\\*\n +\\* (.{1,100})\n +\\*/");
    private static final Pattern BROKEN_THROWS = Pattern.compile("\\) throws\n +");
    private static final Pattern BROKEN_LAMBDA = Pattern.compile("(?m)^( +.* ->)\n +(.*;)$");
    private static final Pattern CLASS_HEAD =
            Pattern.compile("(?m)^((?:public )?(?:final class|interface) .+\\{)\n(?=.)");
    private static final Pattern SPREAD_CONSTANTS = Pattern.compile(
            "(?m)(^ {4}(?:private )?static final [^;{]+;\n)\n(?= {4}(?:private )?static final [^;{]+;$)");

    private Tidy() {
    }

    // /** Calls {@link Orders} in another process. */
    //
    // private static void writePlaceLater(ServerCall call, Long result, Throwable thrown)
    //         throws Throwable {
    static String tidy(String text) {
        String tidied = TRAILING_BLANKS.matcher(text).replaceAll("");
        tidied = SHORT_JAVADOC.matcher(tidied).replaceAll("/** $1 */");
        tidied = BROKEN_THROWS.matcher(tidied).replaceAll(")\n            throws ");
        tidied = BROKEN_LAMBDA.matcher(tidied).replaceAll(Tidy::joined);
        tidied = CLASS_HEAD.matcher(tidied).replaceAll("$1\n\n");
        return SPREAD_CONSTANTS.matcher(tidied).replaceAll("$1");
    }

    // static final ResultReader<Report> REPORT = (in, thrown) -> OrdersCodec.readReport(in);
    private static String joined(MatchResult broken) {
        String line = broken.group(1) + " " + broken.group(2);
        return Matcher.quoteReplacement(line.length() <= WIDTH ? line : broken.group());
    }
}
