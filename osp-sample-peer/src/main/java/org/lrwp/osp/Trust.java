package org.lrwp.osp;

import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.Revocations;

/**
 * Whom a server believes, and what only once.
 *
 * @param keys sign tokens, and their tokens count
 * @param devices finds out which device has signed a message
 * @param revoked certificates that do not count any more
 * @param taken remembers tokens and signed requests
 */
public record Trust(Keys keys, DeviceTrust devices, Revocations revoked, TakenOnce taken) {}
