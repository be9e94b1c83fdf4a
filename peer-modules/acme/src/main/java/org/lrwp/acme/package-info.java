/**
 * Automatic certificates by ACME (RFC 8555): orders a certificate, proves the names by http-01 or
 * tls-alpn-01, keeps certificate and key as files, and renews them before they end.
 *
 * <p>Entry type: {@code AcmeProvider}. This package does not know who uses the files, nor whether
 * it runs inside the proxy. The library that speaks ACME is known to {@code AcmeIssuer} and to what
 * serves it alone: {@code OrderTime}, {@code DirectoryTrust}, {@code ChallengeAnswers}.
 */
@NullMarked
package org.lrwp.acme;

import org.jspecify.annotations.NullMarked;
