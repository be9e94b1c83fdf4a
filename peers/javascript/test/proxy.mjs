/** A proxy that a test plays, frame by frame. It shares no code with the library. */
import net from 'node:net';
import tls from 'node:tls';

export const TYPES = { SETTINGS: 1, REGISTER: 2, REGISTERED: 4, REQUEST: 5, RESPONSE: 6, DATA: 7, STARTED: 8,
    REFUSED: 9, CANCEL: 10, WINDOW: 11, DRAIN: 13, PING: 14, PONG: 15, ERROR: 16 };
const NAMES = Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [type, name]));

export function frame(type, stream, payload = '', end = false) {
    const content = Buffer.from(payload, 'latin1');
    const head = Buffer.alloc(12);
    head.writeUInt32BE(content.length, 0);
    head[4] = TYPES[type];
    head[5] = end ? 1 : 0;
    head.writeUInt32BE(stream, 8);
    return Buffer.concat([head, content]);
}

export function number(value) {
    const four = Buffer.alloc(4);
    four.writeUInt32BE(value);
    return four.toString('latin1');
}

/** One peer's connection, as the proxy has it. */
class Wire {
    #bytes = Buffer.alloc(0);
    #ended = false;
    #wake = () => {};

    constructor(socket) {
        this.socket = socket;
        socket.on('data', (data) => {
            this.#bytes = Buffer.concat([this.#bytes, data]);
            this.#wake();
        });
        socket.on('error', () => {});
        for (const event of ['end', 'close']) {
            socket.on(event, () => {
                this.#ended = true;
                this.#wake();
            });
        }
    }

    send(...pieces) {
        this.socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'latin1'))));
        return this;
    }

    async #until(condition) {
        while (!condition()) {
            if (this.#ended) {
                throw new Error(`the peer has ended; it had sent ${JSON.stringify(this.#bytes.toString('latin1'))}`);
            }
            await new Promise((resolve) => (this.#wake = resolve));
        }
    }

    async read(count) {
        await this.#until(() => this.#bytes.length >= count);
        const taken = this.#bytes.subarray(0, count);
        this.#bytes = this.#bytes.subarray(count);
        return taken;
    }

    /** The startup string: text with so many 0xff in it. */
    async hello(fields) {
        let at = -1;
        await this.#until(() => {
            at = -1;
            for (let found = 0; found < fields; found++) {
                at = this.#bytes.indexOf(0xff, at + 1);
                if (at < 0) {
                    return false;
                }
            }
            return true;
        });
        return (await this.read(at + 1)).toString('latin1');
    }

    /** The next frame. */
    async frame(expected) {
        const head = await this.read(12);
        const payload = await this.read(head.readUInt32BE(0));
        const got = { type: NAMES[head[4]], end: (head[5] & 1) === 1, stream: head.readUInt32BE(8), payload };
        if (expected && got.type !== expected) {
            const text = payload.toString('latin1').slice(0, 200);
            throw new Error(`${expected} was expected, and came ${got.type} ${text}`);
        }
        return got;
    }

    /** The rest of an answer's body, with windows granted as it comes. */
    async answer(stream, first = null) {
        const response = first ?? (await this.frame('RESPONSE'));
        const text = response.payload.toString('latin1');
        const at = text.indexOf('\r\n\r\n') + 4;
        const pieces = [response.payload.subarray(at)];
        for (let last = response; !last.end;) {
            last = await this.frame('DATA');
            pieces.push(last.payload);
            if (!last.end && last.payload.length > 0) {
                this.send(frame('WINDOW', stream, number(last.payload.length)));
            }
        }
        return { head: text.slice(0, at), body: Buffer.concat(pieces), frame: response };
    }

    /** Accepts a 3.0 peer; its settings. */
    async open(settings = 'window=65536\0max-frame=65536\0ping=0\0') {
        this.startup = await this.hello(4);
        this.send('OK\xff', frame('SETTINGS', 0, settings));
        return this.settings();
    }

    async settings() {
        const { payload } = await this.frame('SETTINGS');
        return Object.fromEntries(payload.toString('latin1').split('\0').filter(Boolean).map((one) => one.split('=')));
    }

    request(stream, variables = {}, body = '', end = true) {
        const all = { REQUEST_METHOD: 'GET', REQUEST_URI: '/x/a?q=1', SCRIPT_NAME: '/x', PATH_INFO: '/a',
            QUERY_STRING: 'q=1', REMOTE_ADDR: '192.0.2.7', REMOTE_PORT: '4711', SERVER_NAME: 'example.org',
            SERVER_PORT: '80', SERVER_PROTOCOL: 'HTTP/1.1', CONTENT_TYPE: '', HTTP_HOST: 'example.org',
            CONTENT_LENGTH: end ? String(body.length) : undefined, ...variables };
        const entries = Object.entries(all).filter(([, value]) => value !== undefined);
        const block = entries.map(([name, value]) => `${name}=${value}\0`).join('') + '\0';
        return this.send(frame('REQUEST', stream, number(block.length) + block + body, end));
    }

    /** Accepts a peer that falls back to 1.0, sends it a request, and gives its answer. */
    async serial(block, body = '') {
        const digits = (length) => String(length).padStart(9, '0');
        await this.hello(2);
        this.send('OK', digits(block.length), block, digits(body.length), body);
        return (await this.read(Number(await this.read(9)))).toString('latin1');
    }

    /** Until the peer has closed its side. */
    async end() {
        await this.#until(() => this.#ended);
        return this.#bytes.toString('latin1');
    }

    /** Closes in order. */
    close() {
        this.socket.end();
    }
}

/** A listening proxy, ended with its test. */
export class Proxy {
    #wires = [];
    #wake = () => {};

    static async listen(t, { path, host = '127.0.0.1', port = 0, secure } = {}) {
        const proxy = new Proxy();
        const accept = (socket) => proxy.#accept(socket);
        proxy.server = secure ? tls.createServer({ ...secure, ALPNProtocols: ['lrwp/3'], allowHalfOpen: true }, accept)
            : net.createServer({ allowHalfOpen: true }, accept);
        await new Promise((resolve, reject) => {
            proxy.server.on('error', reject);
            proxy.server.listen(path ? { path } : { host, port }, resolve);
        });
        proxy.sockets = new Set();
        t.after(() => proxy.close());
        return proxy;
    }

    #accept(socket) {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket));
        this.#wires.push(new Wire(socket));
        this.#wake();
    }

    get port() {
        return this.server.address().port;
    }

    get address() {
        return `127.0.0.1:${this.port}`;
    }

    /** The next connection of a peer. */
    async accept() {
        while (this.#wires.length === 0) {
            await new Promise((resolve) => (this.#wake = resolve));
        }
        return this.#wires.shift();
    }

    close() {
        this.server.close();
        this.sockets.forEach((socket) => socket.destroy());
    }
}

/** What a peer logs, to be waited for. */
export class Log {
    lines = [];
    #wake = () => {};

    write = (line) => {
        this.lines.push(line);
        this.#wake();
    };

    async has(pattern) {
        for (;;) {
            const line = this.lines.find((one) => pattern.test(one));
            if (line !== undefined) {
                return line;
            }
            await new Promise((resolve) => (this.#wake = resolve));
        }
    }
}
