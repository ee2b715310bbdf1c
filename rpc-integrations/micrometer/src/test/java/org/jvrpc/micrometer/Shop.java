package org.jvrpc.micrometer;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;

/** What is counted. */
@RpcService
interface Shop {

    int add(int a, int b);

    int fail(String how) throws SoldOutException;

    byte[] echo(byte[] bytes);

    /** Declared. */
    final class SoldOutException extends Exception {

        private static final long serialVersionUID = 1L;

        public SoldOutException(String message) {
            super(message);
        }
    }

    /** Answers. */
    final class Impl implements Shop {

        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public int fail(String how) throws SoldOutException {
            if (how.equals("declared")) {
                throw new SoldOutException(how);
            }
            throw new RpcException(Status.valueOf(how), "as told");
        }

        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }
    }
}
