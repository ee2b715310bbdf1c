package org.jvrpc.codegen.write;

import java.util.regex.Pattern;

/** The last touch on a written file: what JavaPoet spreads over lines and a person would not. */
final class Tidy {

    private static final Pattern SHORT_JAVADOC = Pattern.compile("/\\*\\*\n +\\* (.{1,100})\n +\\*/");
    private static final Pattern BROKEN_THROWS = Pattern.compile("\\) throws\n +");
    private static final Pattern CLASS_BODY =
            Pattern.compile("(?m)^((?:public )?(?:final class|interface) .+\\{)\n(?=.)");
    private static final Pattern SPREAD_FIELDS = Pattern.compile(
            "(?m)(^ {4}(?:private )?static final .+;\n)\n(?= {4}(?:private )?static final .+;$)");

    private Tidy() {
    }

    // /** Calls {@link Orders} in another process. */
    //
    // private static void writePlaceLater(ServerCall call, Long result, Throwable thrown)
    //         throws Throwable {
    static String tidy(String text) {
        String tidied = SHORT_JAVADOC.matcher(text).replaceAll("/** $1 */");
        tidied = BROKEN_THROWS.matcher(tidied).replaceAll(")\n            throws ");
        tidied = CLASS_BODY.matcher(tidied).replaceAll("$1\n\n");
        return SPREAD_FIELDS.matcher(tidied).replaceAll("$1");
    }
}
