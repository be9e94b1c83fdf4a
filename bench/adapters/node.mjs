// The work of the benchmarks as a listener of Node: `node node.mjs serve PROXY CONTEXT` dials a proxy with the library in
// peers/javascript, `node node.mjs http PORT WORKERS` listens with Node's own server in so many processes.
import cluster from 'node:cluster';
import { createServer } from 'node:http';

const ID = 16;
const LEAST = 200;
const MOST = 3000;
const ANSWER = 1024;
const END = '</answer>\n';

function answer(req, body) {
  const [path, query = ''] = req.url.split('?', 2);
  const id = query.slice(4, 4 + ID);
  const cookie = req.headers.cookie ?? '';
  if (!query.startsWith('rid=') || !path.endsWith(id) || !cookie.startsWith('sid=') || cookie.slice(4, 4 + ID) !== id) return null;
  if (req.method === 'POST') {
    if (body.length < LEAST || body.length > MOST || body.toString('latin1', 0, 7 + ID) !== `{"id":"${id}`) return null;
  } else if (req.method !== 'GET' || body.length > 0) {
    return null;
  }
  const length = String(body.length).padStart(4, '0');
  return `<?xml version="1.0"?>\n<answer id="${id}" length="${length}">`.padEnd(ANSWER - END.length, 'a') + END;
}

function listener(req, res) {
  const pieces = [];
  req.on('data', (piece) => pieces.push(piece));
  req.on('end', () => {
    const page = answer(req, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    res.writeHead(page === null ? 500 : 200, { 'Content-Type': 'text/xml', 'Content-Length': page === null ? 0 : page.length });
    res.end(page ?? '');
  });
}

const [how, where, more] = process.argv.slice(2);
if (how === 'serve') {
  const { serve } = await import('../../peers/javascript/index.mjs');
  serve(listener, { proxy: where, context: more });
} else if (cluster.isPrimary) {
  for (let i = 0; i < Number(more); i++) cluster.fork();
} else {
  const server = createServer(listener);
  server.keepAliveTimeout = 600_000;
  server.listen(Number(where), '127.0.0.1');
}
