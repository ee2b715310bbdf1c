package org.jvrpc.codegen.parse;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * The compiler's view of types, seen from the package that the generated code will be in.
 *
 * @param types the compiler's
 * @param elements the compiler's
 * @param home the package of the service
 */
record Scope(Types types, Elements elements, PackageElement home) {

    static TypeElement element(DeclaredType type) {
        return (TypeElement) type.asElement();
    }

    static String name(DeclaredType type) {
        return element(type).getQualifiedName().toString();
    }

    static boolean isAbstract(TypeElement type) {
        return type.getKind().isInterface() || type.getModifiers().contains(Modifier.ABSTRACT);
    }

    /** Returns true for a class that holds a reference to an outer object. */
    static boolean isInner(TypeElement type) {
        return type.getKind() == ElementKind.CLASS
                && type.getEnclosingElement() instanceof TypeElement
                && !type.getModifiers().contains(Modifier.STATIC);
    }

    /** Returns true when the JDK has the type: its fields are not walked, as they differ from JDK to JDK. */
    static boolean isOfJdk(TypeElement type) {
        String name = type.getQualifiedName().toString();
        return name.startsWith("java.") || name.startsWith("javax.");
    }

    /** Returns true when a type and everything around it can be named from the service's package. */
    boolean canName(TypeElement type) {
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (!canAccess(at)) {
                return false;
            }
        }
        return true;
    }

    /** Returns true when an element may be used from the service's package, given that its owner may. */
    boolean canAccess(Element element) {
        if (element.getModifiers().contains(Modifier.PUBLIC)) {
            return true;
        }
        return !element.getModifiers().contains(Modifier.PRIVATE) && elements.getPackageOf(element).equals(home);
    }

    /** Returns true when a type is, extends or implements one of a qualified name. */
    boolean isA(TypeMirror type, String qualifiedName) {
        TypeElement wanted = elements.getTypeElement(qualifiedName);
        return wanted != null && types.isSubtype(types.erasure(type), types.erasure(wanted.asType()));
    }

    boolean isObject(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED && name((DeclaredType) type).equals("java.lang.Object");
    }

    boolean isUnchecked(TypeMirror exception) {
        return isA(exception, "java.lang.RuntimeException") || isA(exception, "java.lang.Error");
    }
}
