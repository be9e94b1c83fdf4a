// A Koa application as an LRWP peer.
import Koa from 'koa';
import { serve } from 'lrwp';
import { Readable } from 'node:stream';
import { commandLine } from '../options.mjs';

const app = new Koa();
const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`);

async function textOf(stream) {
    const pieces = [];
    for await (const piece of stream) {
        pieces.push(piece);
    }
    return Buffer.concat(pieces);
}

app.use(async (ctx) => {
    // strip: ctx.path is what is below the context.
    if (ctx.path.startsWith('/hello/')) {
        ctx.cookies.set('a', '1');
        ctx.cookies.set('b', '2');
        ctx.body = { hello: ctx.path.slice('/hello/'.length), url: ctx.req.originalUrl, ip: ctx.ip };
    } else if (ctx.path === '/json' && ctx.method === 'POST') {
        ctx.status = 201;
        ctx.body = JSON.parse(await textOf(ctx.req));
    } else if (ctx.path === '/upload') {
        ctx.body = `${(await textOf(ctx.req)).length}\n`;
    } else if (ctx.path === '/stream') {
        ctx.type = 'text';
        ctx.body = Readable.from(lines, { objectMode: false });
    } else if (ctx.path === '/fail') {
        throw new Error('thrown by the handler');
    }
});

const server = serve(app.callback(), { ...commandLine(), strip: true });
process.on('SIGTERM', () => server.close(() => console.log('drained')));
