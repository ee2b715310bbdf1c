package org.jvrpc.runtime.contract.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.jvrpc.runtime.contract.change.Version.call;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;

class ShmChangeTest extends ChangeContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }

    @Test
    void whatProgramsAnswerIsAskedOfTheServerByAClientOfAnotherVersion() throws Exception {
        RpcServer server = serve(Versions.OLD);
        server.offload(Versions.OLD.<Object>type("Shop"), "quote", new OffloadSettings())
                .publish(shop -> quote(shop, 5));
        RpcClient client = connect(server);
        Object changed = client.stub(Versions.NEW.type("Shop"));
        for (int i = 0; i < 10; i++) {
            assertEquals("Order[id=5, symbol=S5, side=SELL, note=null, lots=0, parts=null]",
                    call(changed, "quote", 5L).toString());
        }
        assertEquals(0, client.offloadedCalls());
    }

    private static Object quote(Object shop, long id) {
        try {
            return call(shop, "quote", id);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
