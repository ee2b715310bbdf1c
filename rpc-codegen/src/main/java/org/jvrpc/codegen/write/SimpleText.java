package org.jvrpc.codegen.write;

import com.palantir.javapoet.TypeName;
import java.util.regex.Pattern;

/** Types as messages show them: {@code List<Leg>}, without packages. */
final class SimpleText {

    private static final Pattern PACKAGES = Pattern.compile("(?<![\\w.])(?:[a-z]\\w*\\.)+");

    private SimpleText() {
    }

    static String of(TypeName type) {
        return PACKAGES.matcher(type.toString()).replaceAll("");
    }
}
