package org.lrwp.osp;

import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.replay.TakenFiles;
import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.Revocations;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens what the peer believes, and what it has taken once. */
final class TrustStart {
    private TrustStart() {}

    static Revocations revocations(OspConfiguration configuration, Consumer<String> log)
            throws BadOptionException {
        try {
            return Revocations.of(configuration.devices().revoked(), log);
        } catch (IdentityException unfit) {
            throw new BadOptionException("devices.revoked: " + unfit.getMessage());
        }
    }

    static TakenOnce taken(OspConfiguration configuration, Path data, Consumer<String> log)
            throws BadOptionException {
        if (configuration.tokens().takenInDatabase()) {
            return new SqlTaken(
                    RecordsStart.address(configuration, data),
                    configuration.tokens().taken(),
                    InstantSource.system(),
                    log);
        }
        try {
            return new TakenFiles(
                    data.resolve("taken"),
                    configuration.tokens().taken(),
                    InstantSource.system(),
                    log);
        } catch (IOException failed) {
            throw new BadOptionException("--data: " + data + " cannot be used");
        }
    }

    static Trust trust(ServerKeys keys, Revocations revoked, TakenOnce taken) {
        return new Trust(keys.keys(), new DeviceTrust(keys.authorities(), revoked), revoked, taken);
    }
}
