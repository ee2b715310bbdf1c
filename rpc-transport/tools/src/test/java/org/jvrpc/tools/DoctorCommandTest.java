package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.tools.host.Area;
import org.jvrpc.tools.host.Finding;
import picocli.CommandLine;

/** Exit codes and what is printed. */
final class DoctorCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(CommandLine commandLine, String... words) {
        return commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(words);
    }

    private static Doctor doctor(boolean shm, boolean rdma) {
        return new Doctor(List.of(finding(Area.SHM, "shm://", shm), finding(Area.RDMA, "rdma:// on rxe0", rdma),
                Finding.fail(Area.RDMA, "rxe1/1", "DOWN", "ip link set v1 up")));
    }

    private static Finding finding(Area area, String check, boolean works) {
        return works ? Finding.ok(area, check, "works") : Finding.fail(area, check, "does \"not\"", "try\\again");
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0, 0", "true, false, 0, 1", "false, true, 1, 1", "false, false, 1, 1"})
    void theExitCodeTellsWhatWorks(boolean shm, boolean rdma, int plain, int withRdma) {
        assertEquals(plain, run(new CommandLine(new DoctorCommand(doctor(shm, rdma)))));
        assertEquals(withRdma, run(new CommandLine(new DoctorCommand(doctor(shm, rdma))), "--rdma"));
    }

    @Test
    void eachCheckIsOneLineWithItsCure() {
        run(new CommandLine(new DoctorCommand(doctor(true, false))));
        assertEquals(List.of(
                "ok    shm://                    works",
                "FAIL  rdma:// on rxe0           does \"not\". Cure: try\\again",
                "FAIL  rxe1/1                    DOWN. Cure: ip link set v1 up",
                "",
                "shm:// works, rdma:// does not work, roce:// does not work on this host."),
                out.toString().lines().toList());
    }

    @Test
    void jsonIsQuotedAndComplete() {
        run(new CommandLine(new DoctorCommand(doctor(true, false))), "--json");
        assertEquals("""
                {"shm":true,"rdma":false,"roce":false,"checks":[
                {"area":"shm","check":"shm://","mark":"ok","text":"works","cure":""},
                {"area":"rdma","check":"rdma:// on rxe0","mark":"fail","text":"does \\"not\\"","cure":"try\\\\again"},
                {"area":"rdma","check":"rxe1/1","mark":"fail","text":"DOWN","cure":"ip link set v1 up"}
                ]}
                """, out.toString());
        assertEquals("\"a\\u000ab\"", Json.quote("a\nb"));
    }

    @Test
    void thisHostIsExamined() {
        int code = run(Jvrpc.commandLine(), "doctor");
        assertTrue(out.toString().contains("shm:// works"), out::toString);
        assertTrue(out.toString().contains("CPU quota"), out::toString);
        assertEquals(0, code, out::toString);
    }

    @Test
    void theSelfTestProvesTheSoftwareRnic() {
        int code = run(Jvrpc.commandLine(), "doctor", "--self-test", "shm://doctor-test", "--no-contract");
        assertEquals(0, code, out::toString);
        assertEquals(9, out.toString().lines().filter(line -> line.startsWith("proven ")).count(), out::toString);
        assertTrue(out.toString().contains("not proven  contract"), out::toString);
    }

    @Test
    void theSelfTestPrintsJsonAndNothingElse() {
        int code = run(Jvrpc.commandLine(), "doctor", "--self-test", "shm://doctor-json", "--no-contract", "--json");
        assertEquals(0, code, out::toString);
        String first = out.toString().lines().findFirst().orElse("");
        assertEquals("{\"address\":\"shm://doctor-json\",\"ok\":true,\"steps\":[", first);
        assertTrue(out.toString().contains("{\"step\":\"RedN if\",\"outcome\":\"proven\""), out::toString);
    }

    @Test
    void aDeviceThatDoesNotOpenFailsAndTheRestIsNotProven() {
        int code = run(Jvrpc.commandLine(), "doctor", "--self-test", "rdma://localhost?device=no-such-device");
        assertEquals(1, code, out::toString);
        assertTrue(out.toString().startsWith("FAILED      open"), out::toString);
        assertTrue(out.toString().contains("not proven  contract"), out::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "doctor --what", "doctor --self-test", "doctor --self-test 10.9.0.1",
        "doctor --self-test ftp://x", "nurse"})
    void wrongArgumentsAreTwoAndNamed(String words) {
        assertEquals(2, run(Jvrpc.commandLine(), words.isEmpty() ? new String[0] : words.split(" ")));
        assertTrue(err.toString().lines().findFirst().orElse("").length() > 5, err::toString);
    }

    @Test
    void helpIsZeroAndNamesTheExitCodes() {
        assertEquals(0, run(Jvrpc.commandLine(), "doctor", "--help"));
        assertTrue(out.toString().contains("Exit code 0 when"), out::toString);
    }
}
