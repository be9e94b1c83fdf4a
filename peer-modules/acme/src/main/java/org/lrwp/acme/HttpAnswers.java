package org.lrwp.acme;

import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers to http-01, by token: RFC 8555 section 8.3. Any thread. */
final class HttpAnswers implements ChallengeAnswers {
    private final Map<String, String> authorizations = new ConcurrentHashMap<>();

    @Override
    public String type() {
        return Http01Challenge.TYPE;
    }

    @Override
    public void show(String name, Challenge challenge) {
        Http01Challenge http = (Http01Challenge) challenge;
        show(http.getToken(), http.getAuthorization());
    }

    void show(String token, String authorization) {
        authorizations.put(token, authorization);
    }

    @Override
    public void remove(String name, Challenge challenge) {
        authorizations.remove(((Http01Challenge) challenge).getToken());
    }

    /** The key authorization for a token; null when it is not known. */
    @Nullable String find(String token) {
        return authorizations.get(token);
    }
}
