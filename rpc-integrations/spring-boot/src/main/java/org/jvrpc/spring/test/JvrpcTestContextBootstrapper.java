package org.jvrpc.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Takes the properties of {@link JvrpcTest}. */
final class JvrpcTestContextBootstrapper extends TestSliceTestContextBootstrapper<JvrpcTest> {

    JvrpcTestContextBootstrapper() {
    }
}
