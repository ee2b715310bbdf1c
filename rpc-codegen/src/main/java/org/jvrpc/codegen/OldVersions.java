package org.jvrpc.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.annotation.processing.Messager;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.schema.DescriptorFiles;
import org.jvrpc.api.schema.Finding;
import org.jvrpc.api.schema.SchemaDiff;
import org.jvrpc.api.schema.ServiceSchema;

/**
 * Compares services with what they were, as {@value #COMPARE} says where that is: a jar, a folder or a descriptor. What
 * breaks is a warning, or with {@code -Ajvrpc.breaking=error} an error. A service that was not there is new.
 */
final class OldVersions {

    static final String COMPARE = "jvrpc.compare";
    static final String BREAKING = "jvrpc.breaking";

    private final @Nullable String place;
    private final String breaking;
    private final Messager messager;
    private @Nullable List<ServiceSchema> old; // null before they are read

    OldVersions(Map<String, String> options, Messager messager) {
        this.place = options.get(COMPARE);
        this.breaking = options.getOrDefault(BREAKING, "warning");
        this.messager = messager;
        if (!breaking.equals("warning") && !breaking.equals("error")) {
            error("-A" + BREAKING + "=" + breaking + ": take warning or error");
        }
    }

    private void error(String text) {
        messager.printMessage(Diagnostic.Kind.ERROR, text);
    }

    /** Says what a service breaks, on its interface. */
    void compare(ServiceSchema now, TypeElement service) {
        if (place == null) {
            return;
        }
        if (old == null) {
            old = read(place);
        }
        for (ServiceSchema before : old) {
            if (before.name().equals(now.name())) {
                SchemaDiff.of(before, now).stream().filter(finding -> finding.effect().breaks()).forEach(finding ->
                        say(finding, service));
            }
        }
    }

    private void say(Finding finding, TypeElement service) {
        Diagnostic.Kind kind = breaking.equals("error") ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING;
        messager.printMessage(kind, finding.toString(), service);
    }

    /** Returns what was; nothing when it cannot be read, which is an error of the compilation. */
    private List<ServiceSchema> read(String from) {
        try {
            return DescriptorFiles.read(Path.of(from));
        } catch (IOException e) {
            error("-A" + COMPARE + "=" + from + ": " + e.getMessage());
            return List.of();
        }
    }
}
