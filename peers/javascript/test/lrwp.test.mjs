import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createHmac, X509Certificate } from 'node:crypto';
import dns from 'node:dns/promises';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Peer } from '../lrwp.mjs';
import { frame, Log, number, Proxy } from './proxy.mjs';

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const LIMIT = { timeout: 20_000 };

function start(t, options, handler = () => 'fine\n') {
    const log = new Log();
    const peer = new Peer({ context: ['/x'], concurrency: 4, drainSeconds: 1, log: log.write, ...options }, handler);
    const ended = peer.run();
    t.after(() => {
        peer.drain();
        return ended;
    });
    return { peer, log, ended };
}

function folder(t) {
    const made = fs.mkdtempSync(path.join(os.tmpdir(), 'lrwp-'));
    t.after(() => fs.rmSync(made, { recursive: true }));
    return made;
}

async function get(wire, variables = {}, body = '') {
    wire.request(1, variables, body);
    await wire.frame('STARTED');
    return wire.answer(1);
}

describe('handshake', LIMIT, () => {
    it('says what the peer is and takes, with one instance for all connections', async (t) => {
        const proxy = await Proxy.listen(t);
        start(t, { proxy: proxy.address, context: ['/x', '.ext'], vhost: 'a.test', stream: true,
            upgrades: 'websocket' });
        const wire = await proxy.accept();
        const settings = await wire.open();
        assert.equal(wire.startup, '\xff3.0\xff/x\xffa.test\xff');
        assert.equal(settings.capacity, '4');
        assert.equal(settings.upgrade, 'websocket');
        assert.match(settings.instance, /^[A-Za-z0-9._-]{1,64}$/);
        assert.equal((await wire.frame('REGISTER')).payload.toString('latin1'), '.ext\xffa.test\xff');

        wire.close();
        assert.equal((await (await proxy.accept()).open()).instance, settings.instance);
    });

    it('proves a key to a proxy that has proved it', async (t) => {
        const proxy = await Proxy.listen(t);
        const { log } = start(t, { proxy: proxy.address, identity: 'billing', keyId: '2026a', key: KEY });
        const wire = await proxy.accept();
        await acceptKey(wire);
        assert.equal((await wire.settings()).capacity, '4');
        await log.has(/registered context=\/x version=3\.1/);
        assert.match((await get(wire)).body.toString(), /fine/);
    });

    async function acceptKey(wire, certificate = Buffer.alloc(0)) {
        const hello = await wire.hello(7);
        assert.match(hello, /^\xff3\.1\xff\/x\xff\xffbilling\xff2026a\xff[0-9a-f]{64}\xff$/);
        const nonce = Buffer.alloc(32, 7);
        const seen = Buffer.concat([Buffer.from(hello, 'latin1'), nonce, certificate]);
        const proof = (who) => createHmac('sha256', KEY).update(`lrwp3 ${who}\0`).update(seen).digest();
        wire.send('CHALLENGE\xff000000064', nonce, proof('proxy'));
        assert.equal((await wire.read(9)).toString(), '000000032');
        assert.deepEqual(await wire.read(32), proof('peer'));
        wire.send('OK\xff', frame('SETTINGS', 0, 'window=65536\0'));
        return hello;
    }

    it('binds the key to the certificate inside TLS', async (t) => {
        const at = folder(t);
        const file = (name) => path.join(at, name);
        execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
            '-keyout', file('key'), '-out', file('cert'), '-days', '2', '-subj', '/CN=localhost',
            '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'ignore' });
        const cert = fs.readFileSync(file('cert'));
        const proxy = await Proxy.listen(t, { secure: { key: fs.readFileSync(file('key')), cert } });
        start(t, { proxy: `localhost:${proxy.port}`, tls: { ca: cert }, identity: 'billing', keyId: '2026a',
            key: KEY });
        const wire = await proxy.accept();
        await acceptKey(wire, createHash('sha256').update(new X509Certificate(cert).raw).digest());
        assert.equal((await wire.settings()).capacity, '4');
    });

    it('gives no proof to a proxy without the key, and dials no lower version', async (t) => {
        for (const [reply, told] of [
            ['OK\xff', /does not ask for the key/],
            [`CHALLENGE\xff000000064${'a'.repeat(64)}`, /does not have the key/],
            [`CHALLENGE\xff000000032${'a'.repeat(32)}`, /does not ask for the key/],
            ['ERROR: Unknown LRWP version', /does not ask for the key/],
            ['REJECTED\xffERROR: Malformed startup string\xff', /why="ERROR: Malformed startup string/],
        ]) {
            const proxy = await Proxy.listen(t);
            const { log, peer } = start(t, { proxy: proxy.address, identity: 'billing', keyId: '2026a', key: KEY });
            const wire = await proxy.accept();
            await wire.hello(7);
            wire.send(reply);
            assert.equal(await wire.end(), '', `nothing is sent behind ${reply}`);
            await log.has(told);
            assert.match(await (await proxy.accept()).hello(7), /^\xff3\.1\xff/);
            peer.drain();
        }
    });

    it('proves a secret', async (t) => {
        const proxy = await Proxy.listen(t);
        start(t, { proxy: proxy.address, context: ['osp'], secret: 'funky161' });
        const wire = await proxy.accept();
        await wire.hello(4);
        wire.send('CHALLENGE\xff000000032', Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
        assert.equal((await wire.read(41)).toString('hex'),
            '303030303030303332784c5777e82e53587bd04aae4e14e6da3d5bd82ac5929a880cfa6f1a110d5421');
    });

    it('tells why contexts are refused, and lets the next one lead', async (t) => {
        const proxy = await Proxy.listen(t);
        const { peer, log } = start(t, { proxy: proxy.address, context: ['/x', '/y'] });
        peer.askAgainMs = 10;
        const first = await proxy.accept();
        assert.equal(await first.hello(4), '\xff3.0\xff/x\xff\xff');
        first.send('REJECTED\xffERROR: Application not permitted\xff');
        await log.has(/refused context=\/x proxy=127.0.0.1:\d+ why="ERROR: Application not permitted" remedy="the context/);

        const second = await proxy.accept();
        await second.open();
        assert.equal(second.startup, '\xff3.0\xff/y\xff\xff');
        assert.equal((await second.frame('REGISTER')).payload.toString('latin1'), '/x\xff\xff');
        second.send(frame('REGISTERED', 0, '/x\xff\xffERROR: Application not permitted\xff'));
        await log.has(/refused context=\/x .*why="ERROR: Application not permitted"/);
        assert.equal((await second.frame('REGISTER')).payload.toString('latin1'), '/x\xff\xff', 'it asks again');
        second.send(frame('REGISTERED', 0, '/x\xff\xff\xff'));
        await log.has(/registered context=\/x /);
    });

    it('takes nobody who goes on talking for a proxy', async (t) => {
        const proxy = await Proxy.listen(t);
        const { log } = start(t, { proxy: proxy.address });
        (await proxy.accept()).send('\n\x1b[2J');
        await log.has(/fallback version=1\.0 .*why="\?\?\[2J"/);
        const second = await proxy.accept();
        await second.hello(2);
        second.send(`\n${'x'.repeat(1200)}`);
        await log.has(/refused context=\/x proxy=127.0.0.1:\d+ why="\?xxx/);
        assert.equal(await second.end(), '');
    });

    it('says that a port is one for HTTP', async (t) => {
        const server = http.createServer();
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
        t.after(() => server.close());
        const { log } = start(t, { proxy: `127.0.0.1:${server.address().port}` });
        await log.has(/why="this is a port for HTTP, not for LRWP"/);
    });

    it('says that there is no TLS at a port, or nothing but TLS', async (t) => {
        const proxy = await Proxy.listen(t);
        const { log } = start(t, { proxy: proxy.address, tls: { ca: 'none' } });
        (await proxy.accept()).send('ERROR: Malformed startup string').close();
        await log.has(/why="there is no TLS at this port"/);

        const plain = await Proxy.listen(t);
        const other = start(t, { proxy: plain.address });
        (await plain.accept()).send('\x15\x03\x01\x00\x02\x02\x46');
        await other.log.has(/why="this port speaks TLS"/);
    });
});

/** Two proxies on a port that is free at two addresses. */
async function listenTwice(t) {
    for (;;) {
        const one = await Proxy.listen(t, { host: '127.0.0.1' });
        try {
            return [one, await Proxy.listen(t, { host: '127.0.0.2', port: one.port })];
        } catch (e) {
            if (e.code !== 'EADDRINUSE') {
                throw e;
            }
            one.close(); // somebody else's at the second address
        }
    }
}

describe('proxies', LIMIT, () => {
    it('are all dialled; the handlers together stay within the concurrency', async (t) => {
        const [one, two] = [await Proxy.listen(t), await Proxy.listen(t)];
        const answers = [];
        start(t, { proxy: [one.address, two.address], concurrency: 1 },
            () => new Promise((resolve) => answers.push(resolve)));
        const [first, second] = [await one.accept(), await two.accept()];
        assert.equal((await first.open()).capacity, '1');
        assert.equal((await second.open()).capacity, '1');
        first.request(1);
        await first.frame('STARTED');
        second.request(1).send(frame('PING', 0, '12345678'));
        await second.frame('PONG'); // and no STARTED before it

        answers[0]('first');
        assert.equal((await first.answer(1)).body.toString(), 'first');
        await second.frame('STARTED');
        answers[1]('second');
        assert.equal((await second.answer(1)).body.toString(), 'second');
    });

    it('are dialled at all addresses of their name, which are looked up again after a loss', async (t) => {
        const [one, two] = await listenTwice(t);
        const records = [{ address: '127.0.0.1', family: 4 }];
        t.mock.method(dns, 'lookup', async (name) => {
            assert.equal(name, 'proxies.test');
            return [...records];
        });
        const { log } = start(t, { proxy: `proxies.test:${one.port}` });
        const first = await one.accept();
        await first.open();
        records[0] = { address: '127.0.0.2', family: 4 };
        first.close();
        await (await two.accept()).open();
        await log.has(/lost proxy=proxies\.test:/);
    });

    it('may be a local socket', async (t) => {
        const at = path.join(folder(t), 'socket');
        const proxy = await Proxy.listen(t, { path: at });
        const { log } = start(t, { proxy: `unix:${at}` });
        const wire = await proxy.accept();
        await wire.open();
        assert.equal((await get(wire)).body.toString(), 'fine\n');
        await log.has(/registered .*proxy=unix:/);
    });

    it('that are not there are dialled later and later, with jitter', async (t) => {
        const proxy = await Proxy.listen(t);
        const { address } = proxy;
        proxy.close();
        const peer = new Peer({ proxy: address, context: ['/x'], log: () => {} }, () => '');
        const pauses = [];
        const enough = new Promise((resolve) => {
            t.mock.method(peer, 'pause', (ms, until) => {
                if (until) { // the look-up's
                    return peer.drainAsked;
                }
                pauses.push(ms);
                return pauses.length < 12 ? null : (resolve(), peer.drainAsked);
            });
        });
        const ended = peer.run();
        await enough;
        peer.drain();
        await ended;
        pauses.forEach((pause, index) => {
            const longest = Math.min(200 * 2 ** index, 10_000);
            assert.ok(pause >= longest / 2 && pause <= longest, `pause ${index} is ${pause}`);
        });
        assert.ok(new Set(pauses.slice(-5)).size > 1, 'there is no jitter');
    });
});

describe('options', LIMIT, () => {
    const good = { proxy: '127.0.0.1:1081', context: ['/x'] };
    for (const [wrong, told] of [
        [{ proxy: '127.0.0.1' }, /proxy is HOST:PORT, \[IPV6\]:PORT or unix:PATH, not "127\.0\.0\.1"/],
        [{ proxy: ['127.0.0.1:1', '::1:1081'] }, /not "::1:1081"/],
        [{ proxy: 'host:70000' }, /not "host:70000"/],
        [{ proxy: undefined }, /proxy is missing/],
        [{ context: [] }, /context is missing/],
        [{ context: ['/\u0100'] }, /a context has 1 to 200 bytes of Latin-1/],
        [{ concurrency: 0 }, /concurrency is 1 to 65536, not 0/],
        [{ window: -1 }, /window is 1 to 4294967295 bytes, not -1/],
        [{ tls: {} }, /tls needs ca/],
        [{ proxy: 'unix:/a', tls: { ca: 'x' } }, /tls is not for unix:/],
        [{ concurency: 4 }, /there is no option concurency/],
        [{ identity: 'a' }, /identity, keyId and one of key and keyFile belong together/],
        [{ identity: 'a b', keyId: 'k', key: KEY }, /letters, digits, \. _ -, not "a b"/],
        [{ identity: 'a', keyId: 'k', key: KEY.subarray(1) }, /a key has 32 to 256 bytes, not 31/],
    ]) {
        it(`with ${Object.keys(wrong)} wrong are an error: ${told.source}`, () => {
            assert.throws(() => new Peer({ ...good, ...wrong }, () => ''), told);
        });
    }

    it('take all forms of an address', () => {
        for (const proxy of ['h:1', '[::1]:1081', 'unix:/run/lrwp.sock', 'proxies.example:65535']) {
            new Peer({ ...good, proxy }, () => '');
        }
    });

    it('keyFile is for its owner only, and in hexadecimal digits', (t) => {
        const at = path.join(folder(t), 'key');
        const peer = () => new Peer({ ...good, identity: 'a', keyId: 'k', keyFile: at }, () => '');
        fs.writeFileSync(at, `${KEY.toString('hex')}\n`, { mode: 0o644 });
        assert.throws(peer, new RegExp(`chmod 600 ${at}`));
        fs.chmodSync(at, 0o600);
        assert.deepEqual(peer().key, KEY);
        fs.writeFileSync(at, 'no digits');
        assert.throws(peer, /hexadecimal digits/);
        fs.writeFileSync(at, '00'.repeat(31));
        assert.throws(peer, /a key has 32 to 256 bytes, not 31/);
    });
});

describe('handlers', LIMIT, () => {
    async function serving(t, handler, options = {}) {
        const proxy = await Proxy.listen(t);
        const started = start(t, { proxy: proxy.address, ...options }, handler);
        const wire = await proxy.accept();
        await wire.open();
        return { ...started, wire };
    }

    it('whose answer is of a wrong type get their client 500, and the log says which', async (t) => {
        let answer;
        const { wire, log } = await serving(t, () => answer);
        for (const [wrong, told] of [
            [null, /the handler's answer is null/],
            [5, /the handler's answer is number/],
            [['a'], /the handler's answer is Array/],
            [{ answer: 'x' }, /nothing else, such as answer/],
            [{ body: new Date() }, /a body is a string or bytes \(Uint8Array\), not Date/],
            [undefined, /the handler has returned no answer/],
            [{ body: 'x', headers: { A: undefined } }, /A is neither a string nor a number, but undefined/],
            [{ body: 'x', headers: { A: 'a\r\nb' } }, /the value of A holds a control/],
        ]) {
            answer = wrong;
            assert.match((await get(wire)).head, /^Status: 500 Internal Server Error\r\n/);
            await log.has(told);
        }
        answer = { status: 404, body: Buffer.from('gone') };
        const { head, body } = await get(wire);
        assert.match(head, /^Status: 404\r\n/);
        assert.equal(body.toString(), 'gone');
    });

    it('may name the type of their answer in headers, in any case', async (t) => {
        let answer;
        const { wire } = await serving(t, () => answer);
        for (const [headers, told] of [
            [{ 'content-type': 'application/json' }, 'content-type: application/json\r\n'],
            [{ A: 'b', 'CONTENT-TYPE': 'text/html' }, 'A: b\r\nCONTENT-TYPE: text/html\r\n'],
            [{ 'Content-Type': 'text/css' }, 'Content-Type: text/css\r\n'],
            [{ 'X-Content-Type': 'a' }, 'Content-Type: text/plain\r\nX-Content-Type: a\r\n'],
            [null, 'Content-Type: text/plain\r\n'],
        ]) {
            answer = { body: '{}', headers };
            assert.equal((await get(wire)).head, `Status: 200 OK\r\n${told}\r\n`);
        }
    });

    it('that fail leave their stack in the log', async (t) => {
        const { wire, log } = await serving(t, function theCulprit() {
            throw new Error('thrown here');
        });
        assert.match((await get(wire)).head, /^Status: 500 /);
        assert.match(await log.has(/^failed why="Error: thrown here"/), /at .*theCulprit .*lrwp\.test\.mjs/);
    });

    it('get what was uploaded and are told that the client has gone', async (t) => {
        const aborted = [];
        const { wire } = await serving(t, async (request) => {
            request.signal.addEventListener('abort', () => aborted.push(request.env.PATH_INFO));
            return `${(await request.body()).length}`;
        }, { stream: true });
        wire.request(1, { REQUEST_METHOD: 'POST', PATH_INFO: '/gone' }, 'abc', false);
        await wire.frame('STARTED');
        wire.send(frame('CANCEL', 1, 'client gone'));
        assert.equal((await wire.frame('CANCEL')).stream, 1);
        assert.deepEqual(aborted, ['/gone']);

        wire.request(1, { REQUEST_METHOD: 'POST' }, 'abc', false);
        await wire.frame('STARTED');
        wire.send(frame('DATA', 1, 'def', true));
        assert.equal((await wire.answer(1)).body.toString(), '6');
    });

    it('are not entered when the peer leaves before there is room for them', async (t) => {
        let entered = 0;
        let finish;
        const [one, two] = [await Proxy.listen(t), await Proxy.listen(t)];
        const { peer, ended } = start(t, { proxy: [one.address, two.address], concurrency: 1 },
            () => new Promise((resolve) => (finish = resolve, entered++)));
        const [first, second] = [await one.accept(), await two.accept()];
        await first.open();
        await second.open();
        first.request(1);
        await first.frame('STARTED');
        second.request(1).send(frame('PING', 0, '12345678'));
        await second.frame('PONG');

        peer.drain();
        await second.frame('DRAIN');
        assert.equal((await second.frame('REFUSED')).payload.toString(), 'draining');
        await first.frame('DRAIN');
        finish('done');
        assert.equal((await first.answer(1)).body.toString(), 'done');
        first.close();
        second.close();
        await ended;
        assert.equal(entered, 1);
    });

    it('are entered for a server that knows 1.0 alone, although the peer leaves', async (t) => {
        let finish;
        const [one, two] = [await Proxy.listen(t), await Proxy.listen(t)];
        const { peer, log, ended } = start(t, { proxy: [one.address, two.address], concurrency: 1, drainSeconds: 60 },
            (request) => (request.env.PATH_INFO === '/old' ? 'old' : new Promise((resolve) => (finish = resolve))));
        const first = await one.accept();
        await first.open();
        (await two.accept()).send('ERROR: Unknown LRWP version').close();
        const old = await two.accept();
        await old.hello(2);
        first.request(1);
        await first.frame('STARTED');
        old.send('OK', '000000016', 'PATH_INFO=/old\0\0', '000000000');
        await log.has(/registered .* version=1\.0/);

        peer.drain(); // 1.0 has no way to refuse
        await first.frame('DRAIN');
        finish('done');
        await first.answer(1);
        first.close();
        const answer = (await old.read(Number(await old.read(9)))).toString('latin1');
        assert.equal(answer.split('\r\n\r\n')[1], 'old');
        assert.equal(await old.end(), '');
        old.close();
        await ended;
    });

    it('may write long answers to a server that knows 1.0 alone', async (t) => {
        const proxy = await Proxy.listen(t);
        const { log } = start(t, { proxy: proxy.address }, async (request) => {
            for (let piece = 0; piece < 20; piece++) {
                await request.write('x'.repeat(10_000));
            }
        });
        (await proxy.accept()).send('ERROR: Unknown LRWP version').close();
        const answer = await (await proxy.accept()).serial('REQUEST_METHOD=GET\0\0');
        assert.equal(answer.split('\r\n\r\n')[1].length, 200_000);
        await log.has(/fallback version=1\.0 .*why="ERROR: Unknown LRWP version"/);
    });

    it('that end while something still reads the body grant nothing any more', async (t) => {
        for (const end of [() => 'early', () => {
            throw new Error('other work failed');
        }]) {
            let readOn;
            let wasRead;
            const { wire } = await serving(t, (request) => {
                wasRead = new Promise((resolve) => (readOn = resolve))
                    .then(() => request[Symbol.asyncIterator]().next());
                return end();
            }, { stream: true, window: 10 });
            wire.request(1, { REQUEST_METHOD: 'POST' }, 'abcdefgh', false);
            await wire.frame('STARTED');
            await wire.answer(1);
            readOn();
            assert.equal((await wasRead).value.toString(), 'abcdefgh');
            wire.send(frame('PING', 0, '12345678'));
            await wire.frame('PONG'); // and no WINDOW before it
        }
    });

    it('write no faster than the client reads', async (t) => {
        const written = [];
        const { wire } = await serving(t, async (request) => {
            for (let piece = 0; piece < 40; piece++) {
                await request.write(Buffer.alloc(10_000, piece));
                written.push(piece);
            }
        });
        wire.request(1);
        await wire.frame('STARTED');
        let came = (await wire.frame('RESPONSE')).payload.toString('latin1').split('\r\n\r\n')[1].length;
        while (came < 65536) {
            came += (await wire.frame('DATA')).payload.length;
        }
        wire.send(frame('PING', 0, '12345678'));
        await wire.frame('PONG');
        assert.equal(came, 65536);
        assert.ok(written.length < 20, `${written.length} pieces are written without a window`);
        wire.send(frame('WINDOW', 1, number(1_000_000)));
        for (let last = { end: false }; !last.end; came += last.payload.length) {
            last = await wire.frame('DATA');
        }
        assert.equal(came, 400_000);
    });
});
