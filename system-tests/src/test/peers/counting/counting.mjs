// Writes the body of each request as a line into the file that COUNTED names, and answers it: a server on PORT, or
// without that a peer with the command line of the examples.
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as work } from 'node:timers/promises';
import { commandLine } from '../../../../../peers/javascript/examples/options.mjs';
import { serve } from '../../../../../peers/javascript/index.mjs';

async function count(request, response) {
    let body = '';
    for await (const piece of request) {
        body += piece;
    }
    appendFileSync(process.env.COUNTED, `${body}\n`);
    await work(10);
    response.setHeader('Content-Type', 'text/plain').end(body);
}

if (process.env.PORT) {
    http.createServer(count).listen(process.env.PORT, '127.0.0.1');
} else {
    const server = serve(count, commandLine());
    process.on('SIGTERM', () => server.close());
}
