package org.jvrpc.tools.router.ctl;

import java.util.concurrent.Callable;
import org.jvrpc.tools.router.ctl.tenant.AddressCommand;
import org.jvrpc.tools.router.ctl.tenant.CreateCommand;
import org.jvrpc.tools.router.ctl.tenant.DeleteCommand;
import org.jvrpc.tools.router.ctl.tenant.PrepareCommand;
import org.jvrpc.tools.router.ctl.tenant.QuotaCommand;
import org.jvrpc.tools.router.ctl.tenant.RevokeCommand;
import org.jvrpc.tools.router.ctl.tenant.ShowTenantCommand;
import org.jvrpc.tools.router.ctl.tenant.TokenCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc router ctl}: tenants, addresses, rules. */
@Command(name = "ctl",
        subcommands = {InitCommand.class, HostCommand.class, CreateCommand.class, ListCommand.class,
            ShowTenantCommand.class, QuotaCommand.class, TokenCommand.class, PolicyCommand.class, MoveCommand.class,
            DrainHostCommand.class, RevokeCommand.class, AddressCommand.class, DeleteCommand.class,
            PrepareCommand.class, AuditCommand.class},
        description = {"Says what routers may do: tenants, their addresses, quotas and tokens, and who may reach whom.",
            "Each change is one transaction, and has a line in the audit log. Exit code 0 when done; 1 when something"
                + " is left; 2 for wrong arguments; 3 when it could not be done."})
public final class CtlCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
