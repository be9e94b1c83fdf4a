package org.lrwp.webapp.console;

import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.operations.OperationsPages;
import org.lrwp.webapp.steering.Api;

/** All pages under {@code /-/}: status and health, the API, and the console. */
public final class Pages implements OwnPages {
    private final OperationsPages status;
    private final Api api;
    private final Console console;

    /**
     * Puts them together.
     *
     * @param status says who is answered, and has status and health
     * @param api what is below {@link Api#HEAD}
     * @param console what people see
     */
    public Pages(OperationsPages status, Api api, Console console) {
        this.status = status;
        this.console = console;
        this.api = api;
    }

    @Override
    public Answer answer(Question question) {
        if (!status.allows(question.head())) {
            return Answer.error(403);
        }
        if (question.path().startsWith(Api.HEAD)) {
            return api.answer(question);
        } else if (Console.owns(question.path())) {
            return console.answer(question);
        }
        OperationsPages.Page page = status.page(question.head(), question.path());
        return Answer.of(page.status(), page.contentType(), page.bytes());
    }
}
