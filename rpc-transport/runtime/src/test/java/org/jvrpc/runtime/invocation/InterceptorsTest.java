package org.jvrpc.runtime.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.service.ServerInterceptors;

/** Which interceptors stand around a call, for each choice that four of them may make. */
class InterceptorsTest {

    private static final int MOST = 4;

    private final List<String> asked = new ArrayList<>();

    private final class Either implements ClientInterceptor, ServerInterceptor {

        private final int number;
        private final boolean wants;

        Either(int number, boolean wants) {
            this.number = number;
            this.wants = wants;
        }

        @Override
        public boolean intercepts(MethodDescriptor method) {
            asked.add("client " + number);
            return wants;
        }

        @Override
        public boolean intercepts(ServerContext call) {
            asked.add("server " + number);
            return wants;
        }

        @Override
        public void intercept(ClientContext call, ClientInterceptor.Next next) {
            throw new AssertionError("not called here");
        }

        @Override
        public void intercept(ServerContext call, ServerInterceptor.Next next) {
            throw new AssertionError("not called here");
        }
    }

    @Test
    void thoseThatWantACallStandAroundItInTheirOrderAndEachIsAskedOnce() {
        for (int count = 0; count <= MOST; count++) {
            for (int choice = 0; choice < 1 << count; choice++) {
                check(count, choice);
            }
        }
    }

    private void check(int count, int choice) {
        List<Either> all = new ArrayList<>();
        List<Either> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Either one = new Either(i, (choice >> i & 1) != 0);
            all.add(one);
            if (one.wants) {
                wanted.add(one);
            }
        }
        asked.clear();
        List<ClientInterceptor> ofClient = new Interceptors(List.copyOf(all)).of(null);
        ServerInterceptor[] ofServer = new ServerInterceptors(List.copyOf(all)).of(null);
        assertEquals(wanted, ofClient, "choice=" + choice);
        assertEquals(wanted, Arrays.asList(ofServer), "choice=" + choice);
        assertEquals(2 * count, asked.stream().distinct().count());
        assertEquals(2 * count, asked.size());
        if (wanted.isEmpty()) {
            assertSame(Interceptors.NOBODY, ofClient);
            assertSame(ServerInterceptors.NOBODY, ofServer);
        }
    }
}
