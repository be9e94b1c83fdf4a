// A Fastify application as an LRWP peer: Fastify makes its server by serverFactory, and listen dials the proxy.
import Fastify from 'fastify';
import { createServer } from 'lrwp';
import { Readable } from 'node:stream';
import { commandLine } from '../options.mjs';

const options = commandLine();
const prefix = options.context[0].replace(/^\/*/, '/'); // contexts may come without their slash
const app = Fastify({ serverFactory: (handler) => createServer(options, handler) });

app.register(async (routes) => {
    routes.get('/hello/:name', async (request, reply) => {
        reply.header('Set-Cookie', ['a=1', 'b=2']);
        return { hello: request.params.name, url: request.originalUrl, ip: request.ip };
    });
    routes.post('/json', {
        schema: { body: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    }, async (request, reply) => reply.code(201).send(request.body));
    routes.addContentTypeParser('application/octet-stream', (request, payload, done) => done(null, payload));
    routes.post('/upload', { bodyLimit: 64 * 1024 * 1024 }, async (request) => {
        let length = 0;
        for await (const piece of request.body) {
            length += piece.length;
        }
        return `${length}\n`;
    });
    routes.get('/stream', (request, reply) => {
        const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`);
        return reply.type('text/plain').send(Readable.from(lines, { objectMode: false }));
    });
    routes.get('/fail', async () => {
        throw new Error('thrown by the handler');
    });
}, { prefix });

await app.listen();
// The server first: what is refused now goes to another peer.
process.on('SIGTERM', () => app.server.close(() => app.close().then(() => console.log('drained'))));
