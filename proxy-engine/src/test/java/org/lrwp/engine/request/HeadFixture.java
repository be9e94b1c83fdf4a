package org.lrwp.engine.request;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Builds request heads for tests. */
final class HeadFixture {
    private String method = "GET";
    private String target = "/osp/x?a=1";
    private String protocol = "HTTP/1.1";
    private String remote = "192.0.2.7";
    private int port = 8080;
    private boolean secure;
    private byte[] certificate = {};
    private final List<String[]> fields = new ArrayList<>();

    private HeadFixture() {}

    static HeadFixture aHead() {
        return new HeadFixture().with("Host", "Example.test:8080");
    }

    static HeadFixture aHeadWithoutFields() {
        return new HeadFixture();
    }

    HeadFixture method(String text) {
        method = text;
        return this;
    }

    HeadFixture target(String text) {
        target = text;
        return this;
    }

    HeadFixture protocol(String text) {
        protocol = text;
        return this;
    }

    HeadFixture from(String address) {
        remote = address;
        return this;
    }

    HeadFixture secureOn(int number) {
        secure = true;
        port = number;
        return this;
    }

    HeadFixture showing(byte[] der) {
        certificate = der.clone();
        return secureOn(443);
    }

    HeadFixture with(String name, String value) {
        fields.add(new String[] {name, value});
        return this;
    }

    RequestHead build() throws BadRequestException {
        InetAddress address;
        try {
            address = InetAddress.getByName(remote);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException(remote, e);
        }
        var connection = new ClientConnection(address, 40_000, "127.0.0.1", port, secure);
        var described =
                certificate.length == 0 ? connection : connection.inTls("TLSv1.3", "", certificate);
        var draft = new RequestHead.Draft(method, target, protocol, described);
        for (String[] field : fields) {
            draft.field(field[0], field[1]);
        }
        return draft.check();
    }
}
